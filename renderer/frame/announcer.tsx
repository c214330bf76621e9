import { useWindow } from "../state/store";
import hidden from "../ui/hidden.module.css";
import { problemsOf } from "./problems";

/** What a screen reader hears: changes of tasks when there is time, problems of the host at once. */
export function Announcer() {
  const announced = useWindow((state) => state.announced);
  const host = useWindow((state) => state.list?.host);
  return (
    <div className={hidden.visually}>
      <p role="status">{announced}</p>
      <p role="alert">{host === undefined ? "" : problemsOf(host).join(" ")}</p>
    </div>
  );
}
