import { z } from "zod";
import { type SettingKey, type Settings, settingsSchema } from "../../shared/settings";

export type CheckedSetting =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: string };

export const settingKeys = Object.keys(settingsSchema.shape) as SettingKey[];

function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingsSchema.shape, key);
}

/** Checks one setting by itself, so that a bad one never costs the others. The fault names what is allowed. */
export function checkSetting(key: string, value: unknown): CheckedSetting {
  if (!isSettingKey(key)) return { ok: false, fault: `there is no setting "${key}". ${known()}` };
  const result = settingsSchema.shape[key].safeParse(value);
  if (result.success && value !== undefined) return { ok: true, value: result.data };
  return { ok: false, fault: `"${key}" cannot be ${shown(value)}; allowed is ${allowedValues(key)}` };
}

/** The settings that hold: the defaults, over them the file's, over them this run's. Both must have been checked. */
export function effectiveSettings(file: Partial<Settings>, overrides: Partial<Settings>): Settings {
  return settingsSchema.parse({ ...file, ...overrides });
}

/** What a setting may be, in words: `a whole number from 1 to 16`. */
export function allowedValues(key: SettingKey): string {
  return inWords(z.toJSONSchema(settingsSchema.shape[key]));
}

type Schema = Pick<z.core.JSONSchema.BaseSchema, "type" | "anyOf" | "enum" | "minimum" | "maximum">;

function inWords(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map((one) => inWords(one as Schema)).join(" or ");
  if (schema.enum) return schema.enum.join(" or ");
  if (schema.type === "integer") return `a whole number from ${schema.minimum} to ${schema.maximum}`;
  if (schema.type === "boolean") return "true or false";
  if (schema.type === "array") return "a list of texts";
  return schema.type === "null" ? "null" : "a text that is not empty";
}

function known(): string {
  return `The settings are ${settingKeys.join(", ")}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}
