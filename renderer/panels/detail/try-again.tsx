import { useEffect, useState } from "react";
import { useWindow } from "../../state/store";
import { useSession } from "../../state/use-session";
import { Button } from "../../ui/button";
import styles from "./problem-box.module.css";
import { words } from "./words";

/** Lets a person have a model tried again that was put aside; nothing while it is not. */
export function TryAgain({ model }: { readonly model: string }) {
  const isAside = useWindow(({ models }) => models.some(({ id, putAside }) => id === model && putAside !== null));
  const session = useSession();
  const [isForgiven, setForgiven] = useState(false);
  // No feed tells of the models.
  useEffect(() => void session.readModels(), [session]);
  const forgive = async () => setForgiven(await session.forgiveModel(model));
  return (
    <div role="status" className={styles.again}>
      {isForgiven && !isAside && words.triedAgain}
      {isAside && (
        <Button look="small" onClick={() => void forgive()}>
          {words.tryAgain}
        </Button>
      )}
    </div>
  );
}
