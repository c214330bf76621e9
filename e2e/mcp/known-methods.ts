import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as protocol from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

const face = fileURLToPath(new URL("../../electron/faces/mcp/", import.meta.url));

/** Every method that the protocol has, and every text in the face's sources that could be one. */
export function methodsThatMayExist(): readonly string[] {
  return [...new Set([...methodsOfTheProtocol(), ...methodsInTheSources()])].sort();
}

/** By the schemas of the SDK; they are zod objects with a literal `method`. */
function methodsOfTheProtocol(): readonly string[] {
  return Object.values(protocol).flatMap((schema) => {
    if (!(schema instanceof z.ZodObject)) return [];
    const { method }: Readonly<Record<string, unknown>> = schema.shape;
    return method instanceof z.ZodLiteral ? [...method.values].map(String) : [];
  });
}

function methodsInTheSources(): readonly string[] {
  const files = readdirSync(face, { recursive: true, encoding: "utf8" }).filter((name) =>
    /(?<!\.test)\.ts$/.test(name),
  );
  return files.flatMap((name) =>
    [...readFileSync(`${face}${name}`, "utf8").matchAll(/["'`]([a-z]+(?:\/[a-z_]+)+)["'`]/gi)].map(([, method]) =>
      String(method),
    ),
  );
}
