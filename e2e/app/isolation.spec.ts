import { fileURLToPath } from "node:url";
import { expect, test } from "./test";

test("the page has no Node, no raw IPC, and nothing of ours but the bridge", async ({ app }) => {
  const found = await app.page.evaluate(() => ({
    node: ["require", "process", "module", "Buffer", "global", "__dirname"].filter((name) => name in globalThis),
    electron: ["electron", "ipcRenderer", "ElectronBridge"].filter((name) => name in globalThis),
    bridge: Object.keys((globalThis as unknown as { simmer: object }).simmer).sort(),
    frozen: (() => {
      try {
        Object.assign((globalThis as unknown as { simmer: object }).simmer, { call: null });
        return false;
      } catch {
        return true;
      }
    })(),
  }));
  expect(found).toEqual({ node: [], electron: [], bridge: ["call", "onCommand", "onFeed"], frozen: true });
  const preferences = await app.electron.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    const contents = window?.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> };
    const { sandbox, contextIsolation, nodeIntegration, webSecurity } = contents.getLastWebPreferences();
    return { sandbox, contextIsolation, nodeIntegration, webSecurity };
  });
  expect(preferences).toEqual({ sandbox: true, contextIsolation: true, nodeIntegration: false, webSecurity: true });
});

test("the page learns no token, by no call and not from the feed", async ({ app, tasks }) => {
  const { token, clients } = app.endpoint;
  await app.page.evaluate(() => {
    const { simmer, heard } = globalThis as unknown as {
      simmer: { onFeed(l: (m: unknown) => void): void };
      heard: unknown[];
    };
    const all = heard ?? [];
    Object.assign(globalThis, { heard: all });
    simmer.onFeed((message) => all.push(message));
  });
  await tasks.create("What is the capital of Japan?", { model: "simmer-demo" });
  await expect(tasks.row("Japan")).toContainText("Succeeded");
  const seen = await app.page.evaluate(async () => {
    const { simmer, heard } = globalThis as unknown as {
      simmer: { call(name: string, input: unknown): Promise<unknown> };
      heard: unknown[];
    };
    const calls = ["snapshot", "models", "preferences", "unwatch"];
    const answers = await Promise.all(calls.map((name) => simmer.call(name, null)));
    return JSON.stringify([answers, heard, document.documentElement.outerHTML, { ...localStorage }]);
  });
  expect(seen).toContain("Japan");
  for (const secret of [token, ...Object.values(clients)]) expect(seen).not.toContain(secret);
});

test("the page cannot leave, open windows, ask for permissions, run foreign code or reach the network", async ({
  app,
}) => {
  const before = app.page.url();
  const tried = await app.page.evaluate(async (endpoint) => {
    const outcome = async (work: () => unknown) => {
      try {
        return await work();
      } catch {
        return "refused";
      }
    };
    const evaluated = () => {
      try {
        return new Function("return 1")();
      } catch {
        return "refused";
      }
    };
    const script = document.createElement("script");
    script.textContent = "globalThis.inlineRan = true";
    document.head.append(script);
    location.href = "https://example.invalid/";
    return {
      // Later, and so by the page itself: what a debugger evaluates is let through.
      eval: await outcome(() => new Promise((resolve) => setTimeout(() => resolve(evaluated())))),
      inline: "inlineRan" in globalThis,
      fetch: await outcome(() => fetch(endpoint).then(() => "reached")),
      image: await outcome(
        () =>
          new Promise((resolve, reject) => {
            const image = new Image();
            image.onload = () => resolve("loaded");
            image.onerror = reject;
            image.src = "http://127.0.0.1:9/x.png";
          }),
      ),
      opened: window.open("https://example.invalid/") === null,
      notifications: await Notification.requestPermission(),
      media: await outcome(() => navigator.mediaDevices.getUserMedia({ audio: true })),
    };
  }, app.endpoint.url);
  expect(tried).toEqual({
    eval: "refused",
    inline: false,
    fetch: "refused",
    image: "refused",
    opened: true,
    notifications: "denied",
    media: "refused",
  });
  expect(app.page.url()).toBe(before);
});

test("a page that is not ours gets no answer, even with our preload", async ({ app }) => {
  const preload = fileURLToPath(new URL("../../dist/app/electron/preload.cjs", import.meta.url));
  const answer = await app.electron.evaluate(async ({ BrowserWindow }, preload) => {
    const stranger = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } });
    await stranger.loadURL("data:text/html,stranger");
    const said = await stranger.webContents.executeJavaScript(
      "simmer.call('snapshot', null).then(() => 'answered', (error) => String(error))",
    );
    stranger.destroy();
    return said;
  }, preload);
  expect(answer).toContain("Only Simmer's own window may call");
});
