import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { settingsSchema } from "../../shared/settings";
import { allowedValues, settingKeys } from "./check-setting";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

function row(key: (typeof settingKeys)[number]): string {
  const setting = settingsSchema.shape[key];
  const fallback = JSON.stringify(settingsSchema.parse({})[key]);
  return `| \`${key}\` | \`${fallback}\` | ${allowedValues(key)} | ${setting.description} |`;
}

test("the table of settings in the README is the schema's", () => {
  const table = [
    "| setting | default | allowed | what it is |",
    "| --- | --- | --- | --- |",
    ...settingKeys.map(row),
  ].join("\n");
  const written = /<!-- settings -->\n(.*)\n<!-- \/settings -->/s.exec(readme)?.[1]?.trim();
  // The formatter aligns the columns.
  expect(written?.replace(/ +/g, " ").replace(/-{3,}/g, "---")).toBe(table);
});
