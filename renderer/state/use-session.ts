import { createContext, useContext } from "react";
import type { Session } from "./session";

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("a component that acts stands inside a session");
  return session;
}
