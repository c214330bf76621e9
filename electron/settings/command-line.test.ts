import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { CommandLineError, parseCommandLine } from "./command-line";
import { defaultDataFolder } from "./data-folder";

test("an empty command line is the desktop app's data with the settings as they are", () => {
  expect(parseCommandLine([])).toEqual({
    dataDir: defaultDataFolder(),
    modelsDir: join(defaultDataFolder(), "models"),
    clients: [],
    overrides: {},
    archive: null,
    help: false,
  });
});

test("every option is understood, with a blank or an equals sign", () => {
  const line =
    "--port 0 --data-dir=data --models-dir /models --client agent-1 --client b.c --set limits.queue=5 --export=f --help";
  expect(parseCommandLine(line.split(" "))).toEqual({
    dataDir: resolve("data"),
    modelsDir: resolve("/models"),
    clients: ["agent-1", "b.c"],
    overrides: { port: 0, "limits.queue": 5 },
    archive: { kind: "export", file: resolve("f") },
    help: true,
  });
});

test.each([
  ["--backup a.db", { kind: "backup", file: resolve("a.db") }],
  ["--export -", { kind: "export", file: "-" }],
  ["--import=/a.jsonl", { kind: "import", file: resolve("/a.jsonl") }],
])("%s is done instead of serving", (line, archive) => {
  expect(parseCommandLine(line.split(" ")).archive).toEqual(archive);
});

test("a client named twice is one client", () => {
  expect(parseCommandLine(["--client", "a", "--client", "a"]).clients).toEqual(["a"]);
});

test.each([
  ["models.gpu=false", { "models.gpu": false }],
  ["models.threads=null", { "models.threads": null }],
  ["models.default=simmer-demo", { "models.default": "simmer-demo" }],
  ['models.default="simmer-demo"', { "models.default": "simmer-demo" }],
  ["models.default=a=b", { "models.default": "a=b" }],
  ["models.default=7", { "models.default": "7" }],
  ['guard.origins=["http://localhost:3000"]', { "guard.origins": ["http://localhost:3000"] }],
])("--set %s is a setting for this run", (pair, overrides) => {
  expect(parseCommandLine(["--set", pair]).overrides).toEqual(overrides);
});

test("--port wins over --set port", () => {
  expect(parseCommandLine(["--port", "1", "--set", "port=2"]).overrides).toEqual({ port: 1 });
});

test.each([
  ["--prot 1", "Unknown option '--prot'. See --help."],
  ["--data-dir", "Option '--data-dir <value>' argument missing. See --help."],
  ["--port -1", "Option '--port' argument is ambiguous. See --help."],
  ["serve", "Unexpected argument 'serve'. See --help."],
  ["--port=-1", '--port must be a whole number from 0 to 65535, not "-1".'],
  ["--port 65536", '--port must be a whole number from 0 to 65535, not "65536".'],
  ["--port 80.5", '--port must be a whole number from 0 to 65535, not "80.5".'],
  ["--port=", '--port must be a whole number from 0 to 65535, not "".'],
  ["--data-dir=", "--data-dir needs the name of a folder."],
  ["--backup=", "--backup needs the name of a file."],
  ["--backup -", "--backup needs the name of a file."],
  ["--import -", "--import needs the name of a file."],
  ["--export a --import b", "--export and --import cannot be done at once."],
  ["--client a/b", '--client must be 1 to 64 letters, digits, dots, hyphens or underscores, not "a/b".'],
  ["--client=", '--client must be 1 to 64 letters, digits, dots, hyphens or underscores, not "".'],
  ["--client local", '--client cannot be "local": Simmer uses that name.'],
  ["--client desktop", '--client cannot be "desktop": Simmer uses that name.'],
  ["--set limits.queue", '--set needs KEY=VALUE, not "limits.queue".'],
  ["--set =5", '--set needs KEY=VALUE, not "=5".'],
  ["--set limits.queue=0", '--set: "limits.queue" cannot be 0; allowed is a whole number from 1 to 1000000.'],
  ["--set limits.queue=", '--set: "limits.queue" cannot be ""; allowed is a whole number from 1 to 1000000.'],
])("%s is refused with a reason", (line, message) => {
  expect(() => parseCommandLine(line.split(" "))).toThrow(new CommandLineError(message));
});

test("a name of 65 letters is refused, one of 64 is not", () => {
  expect(parseCommandLine(["--client", "a".repeat(64)]).clients).toHaveLength(1);
  expect(() => parseCommandLine(["--client", "a".repeat(65)])).toThrow(CommandLineError);
});

test("--set of an unknown key names the keys there are", () => {
  expect(() => parseCommandLine(["--set", "colour=red"])).toThrow(
    /no setting "colour"\. The settings are port, models\.default, .*engine\.hang_bound\b/,
  );
});
