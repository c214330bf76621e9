/** What an agent asks with `ask_person`: one field of each kind. */
export const trip = {
  question: "Where shall the report send you?\nThe agent books nothing.",
  schema: {
    type: "object",
    properties: {
      city: { type: "string", title: "City", minLength: 2, maxLength: 40 },
      mail: { type: "string", title: "Mail", description: "The report goes there.", format: "email" },
      nights: { type: "integer", title: "Nights", minimum: 1, maximum: 14 },
      day: { type: "string", title: "First day", format: "date" },
      season: { type: "string", title: "Season", enum: ["spring", "autumn"], enumNames: ["Spring", "Autumn"] },
      extras: {
        type: "array",
        title: "Extras",
        items: {
          anyOf: [
            { const: "sea", title: "By the sea" },
            { const: "train", title: "By train" },
          ],
        },
        maxItems: 2,
      },
      alone: { type: "boolean", title: "I travel alone", default: true },
    },
    required: ["city", "nights", "season"],
  },
};
