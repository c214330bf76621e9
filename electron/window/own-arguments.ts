const own = /^--(port|data-dir|models-dir|client|set)(=|$)/;

/** Our options among those of Electron and Chromium, which stand on the same command line. */
export function ownArguments(argv: readonly string[]): string[] {
  return argv.flatMap((argument, index) => {
    const match = own.exec(argument);
    if (match === null) return [];
    const value = argv[index + 1];
    return match[2] === "=" || value === undefined ? [argument] : [argument, value];
  });
}
