import { useState } from "react";
import styles from "./app.module.css";
import { Announcer } from "./frame/announcer";
import { Banners } from "./frame/banners";
import { Notices } from "./frame/notices";
import { Rail } from "./frame/rail";
import { StatusBar } from "./frame/status-bar";
import { useNewTaskKeys } from "./frame/use-new-task-keys";
import { useTheme } from "./frame/use-theme";
import { panels } from "./panels";
import { NewTaskDialog } from "./panels/new-task/new-task-dialog";
import { useWindow } from "./state/store";

export function App() {
  const [open, setOpen] = useState(panels[0]);
  const isComposing = useWindow((state) => state.composing);
  useTheme();
  useNewTaskKeys();
  return (
    <div className={styles.window}>
      <Rail open={open} onOpen={setOpen} />
      <main className={styles.main}>
        <Banners />
        <div className={styles.panel}>
          <open.View />
        </div>
        {!isComposing && <Notices />}
      </main>
      <StatusBar />
      <NewTaskDialog />
      <Announcer />
    </div>
  );
}
