import { DropdownMenu } from "radix-ui";
import { type Preferences, themes } from "../../shared/desktop/contract";
import { useWindow } from "../state/store";
import { useSession } from "../state/use-session";
import { Button } from "../ui/button";
import { Icon } from "../ui/icon";
import styles from "./theme-menu.module.css";
import { words } from "./words";

// Not modal: a modal menu would put a style of its own on the page, which the page's security policy refuses.
export function ThemeMenu() {
  const theme = useWindow((state) => state.theme);
  const session = useSession();
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button look="quiet" className={styles.trigger} aria-label={`${words.theme}: ${words.themes[theme]}`}>
          <Icon name={theme} />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Content className={styles.menu} side="top" align="start" sideOffset={4} aria-label={words.theme}>
        <DropdownMenu.RadioGroup
          value={theme}
          onValueChange={(value) => void session.setTheme(value as Preferences["theme"])}
        >
          {themes.map((one) => (
            <DropdownMenu.RadioItem key={one} value={one} className={styles.item}>
              <Icon name={one} />
              {words.themes[one]}
              <DropdownMenu.ItemIndicator className={styles.mark}>
                <Icon name="check" />
              </DropdownMenu.ItemIndicator>
            </DropdownMenu.RadioItem>
          ))}
        </DropdownMenu.RadioGroup>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}
