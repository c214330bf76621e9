// Makes Electron ready on this machine and prints the path of its binary. With --tests also what the tests need.
import { electronBinary } from "./electron/binary.mjs";
import { ensureSystem } from "./electron/system.mjs";

const binary = await electronBinary();
await ensureSystem(binary, { forTests: process.argv.includes("--tests") });
console.log(binary);
