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
    const inline = () => {
      const script = document.createElement("script");
      script.append("globalThis.inlineRan = true");
      document.head.append(script);
    };
    location.href = "https://example.invalid/";
    return {
      // Later, and so by the page itself: what a debugger evaluates is let through.
      eval: await outcome(() => new Promise((resolve) => setTimeout(() => resolve(evaluated())))),
      inlineScript: await outcome(inline),
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
    inlineScript: "refused",
    inline: false,
    fetch: "refused",
    image: "refused",
    opened: true,
    notifications: "denied",
    media: "refused",
  });
  expect(app.page.url()).toBe(before);
});

test("the page cannot be made to hold foreign pages, markup or files, nor send a form away", async ({ app }) => {
  const tried = await app.page.evaluate(async () => {
    /** Resolves when the policy has refused it by this directive; else never. */
    const violates = (directive: string, element: HTMLElement) =>
      new Promise((resolve) => {
        document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
          if (effectiveDirective === directive) resolve("refused");
        });
        document.body.append(element);
        if (element instanceof HTMLFormElement) element.submit();
      });
    const frame = document.createElement("iframe");
    frame.src = "https://example.invalid/";
    const form = document.createElement("form");
    form.action = "https://example.invalid/";
    const style = document.createElement("style");
    style.append("body { display: none }");
    const refusal = (work: () => unknown) => {
      try {
        work();
        return "done";
      } catch (error) {
        return error instanceof TypeError ? "refused" : "strange";
      }
    };
    const later = <T>(work: () => T) => new Promise<T>((resolve) => setTimeout(() => resolve(work())));
    return {
      frame: await violates("frame-src", frame),
      form: await violates("form-action", form),
      style: await violates("style-src-elem", style),
      object: await later(() => refusal(() => Object.assign(document.createElement("object"), { data: "/" }))),
      markup: await later(() => refusal(() => Object.assign(document.body, { innerHTML: "<b>markup</b>" }))),
      webview: "src" in document.createElement("webview"),
      traversal: await fetch("app://simmer/../../package.json").then(
        () => "read",
        () => "refused",
      ),
    };
  });
  expect(tried).toEqual({
    frame: "refused",
    form: "refused",
    style: "refused",
    object: "refused",
    markup: "refused",
    webview: false,
    traversal: "refused",
  });
});

test("what the page asks the system for is refused: devices, screens, downloads", async ({ app }) => {
  const started = app.electron.evaluate(({ session }) => {
    Object.assign(globalThis, { downloads: [] as string[] });
    session.defaultSession.on("will-download", (_event, item) => {
      item.once("done", (_done, state) => (globalThis as unknown as { downloads: string[] }).downloads.push(state));
    });
  });
  await started;
  const tried = await app.page.evaluate(async () => {
    const refused = async (work: () => Promise<unknown>) => {
      try {
        await work();
        return "given";
      } catch (error) {
        return error instanceof Error ? error.name : "strange";
      }
    };
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(["x"]));
    link.download = "x.txt";
    link.click();
    return {
      screen: await refused(() => navigator.mediaDevices.getDisplayMedia()),
      clipboard: await refused(() => navigator.clipboard.readText()),
      location: await refused(
        () =>
          new Promise((resolve, reject) =>
            navigator.geolocation.getCurrentPosition(resolve, () => reject(new Error("x"))),
          ),
      ),
    };
  });
  expect(Object.values(tried)).not.toContain("given");
  const downloads = () => app.electron.evaluate(() => (globalThis as unknown as { downloads: string[] }).downloads);
  expect(await downloads()).not.toContain("completed");
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
