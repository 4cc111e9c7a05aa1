import type { ComponentChildren, JSX } from "preact";
import { Icon, type IconName } from "../art/icons";

export function Section({
  icon,
  title,
  children,
}: {
  icon: IconName;
  title: string;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <section class="panel">
      <h2>
        <Icon name={icon} /> {title}
      </h2>
      {children}
    </section>
  );
}
