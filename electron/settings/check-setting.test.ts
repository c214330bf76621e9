import { expect, test } from "vitest";
import { settingsSchema } from "../../shared/settings";
import { allowedValues, checkSetting, effectiveSettings, settingKeys } from "./check-setting";

test("every default is a value that its own setting allows", () => {
  for (const [key, value] of Object.entries(settingsSchema.parse({}))) {
    expect(checkSetting(key, value)).toEqual({ ok: true, value });
  }
});

test("every setting says in words what it may be", () => {
  expect(Object.fromEntries(settingKeys.map((key) => [key, allowedValues(key)]))).toMatchObject({
    port: "a whole number from 0 to 65535",
    "models.default": "a text that is not empty or null",
    "models.gpu": "true or false",
    "limits.parallel": "a whole number from 1 to 8 or null",
    "guard.origins": "a list of texts",
  });
  for (const key of settingKeys) expect(allowedValues(key)).not.toMatch(/undefined/);
});

test.each([
  ["limits.parallel", 9, '"limits.parallel" cannot be 9; allowed is a whole number from 1 to 8 or null'],
  ["limits.queue", -1, '"limits.queue" cannot be -1; allowed is a whole number from 1 to 1000000'],
  ["limits.queue", "7", '"limits.queue" cannot be "7"; allowed is a whole number from 1 to 1000000'],
  ["port", 1e308, '"port" cannot be 1e+308; allowed is a whole number from 0 to 65535'],
  ["models.gpu", undefined, '"models.gpu" cannot be nothing; allowed is true or false'],
])("the setting %s refuses %o and says what it allows", (key, value, fault) => {
  expect(checkSetting(key, value)).toEqual({ ok: false, fault });
});

test.each(["colour", "__proto__", "constructor", ""])("%o is no setting; the answer names those that are", (key) => {
  const checked = checkSetting(key, 1);
  expect(checked).toMatchObject({
    ok: false,
    fault: expect.stringContaining(`no setting "${key}". The settings are port,`),
  });
});

test("this run's settings win over the file's, and those over the defaults", () => {
  const settings = effectiveSettings({ port: 1, "limits.queue": 2 }, { port: 3 });
  expect(settings).toMatchObject({ port: 3, "limits.queue": 2, "limits.queue_per_client": 1_000 });
});
