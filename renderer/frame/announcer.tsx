import { safeText } from "../panels/detail/safe-text";
import { useWindow } from "../state/store";
import hidden from "../ui/hidden.module.css";
import { problemsOf } from "./problems";

/** What a screen reader hears: changes of tasks when there is time, questions and problems of the host at once. */
export function Announcer() {
  const announced = useWindow((state) => state.announced);
  const asked = useWindow((state) => state.asked);
  const host = useWindow((state) => state.list?.host);
  return (
    <div className={hidden.visually}>
      <p role="status">{announced}</p>
      <p role="alert">{safeText(asked)}</p>
      <p role="alert">{host === undefined ? "" : problemsOf(host).join(" ")}</p>
    </div>
  );
}
