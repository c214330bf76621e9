import { expect, it } from "vitest";
import { contract } from "../../../shared/desktop/contract";
import { type ClientDirectory, clientCalls } from "./client-calls";

it("hands what the person does with a client on, in the person's name, and answers as the contract says", async () => {
  const done: unknown[] = [];
  const clients: ClientDirectory = {
    list: () => [{ name: "agent", token: "lasting", createdAt: 1, lastSeenAt: null }],
    create: (...call) => `created ${done.push(call)}`,
    rotate: (...call) => `rotated ${done.push(call)}`,
    revoke: (...call) => void done.push(call),
  };
  const calls = clientCalls(clients);
  const name = { name: "agent" };
  expect(contract.clients.output.parse(await calls.clients(null))).toEqual(clients.list());
  expect(contract.createClient.output.parse(await calls.createClient(name))).toEqual({ token: "created 1" });
  expect(contract.rotateClient.output.parse(await calls.rotateClient(name))).toEqual({ token: "rotated 2" });
  expect(contract.revokeClient.output.parse(await calls.revokeClient(name))).toBeNull();
  expect(done).toEqual([1, 2, 3].map(() => ["agent", "desktop"]));
});
