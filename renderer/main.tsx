import "@fontsource-variable/inter/wght.css";
import "@fontsource/jetbrains-mono/400.css";
import "./ui/tokens.css";
import "./ui/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app";
import { openBridge } from "./bridge";
import { words } from "./frame/words";
import { Session } from "./state/session";
import { windowStore } from "./state/store";
import { SessionContext } from "./state/use-session";
import { phases } from "./ui/phase";

const session = new Session({
  bridge: openBridge(),
  store: windowStore,
  wordOf: (status) => phases[status].word,
  askedIn: words.asked,
});
session.start();

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no place for the app");
createRoot(root).render(
  <StrictMode>
    <SessionContext value={session}>
      <App />
    </SessionContext>
  </StrictMode>,
);
