import { test } from "vitest";
import { TestClock } from "../../electron/engine/test-clock";
import type { RawClient } from "./raw-client";
import { TestHost } from "./test-host";

interface Hosted {
  readonly host: TestHost;
  readonly client: RawClient;
}

/** A test with a host of its own and a client of 2025-11-25 that declares nothing. */
export const it = test.extend<Hosted>({
  // biome-ignore lint/correctness/noEmptyPattern: what a fixture needs is read from this pattern.
  host: async ({}, use) => {
    await using host = await TestHost.start();
    await use(host);
  },
  client: async ({ host }, use) => {
    await use(await host.client());
  },
});

/** The same, and the host's time stands still until the test moves it. */
export const itWithClock = test.extend<Hosted & { readonly clock: TestClock }>({
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  clock: async ({}, use) => use(new TestClock()),
  host: async ({ clock }, use) => {
    await using host = await TestHost.start({ clock });
    await use(host);
  },
  client: async ({ host }, use) => {
    await use(await host.client());
  },
});
