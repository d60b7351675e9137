import * as Dropdown from '@radix-ui/react-dropdown-menu';
import type { ReactNode } from 'react';

/** Not modal: a modal menu would add a style element, which the page's policy does not allow. Not in a portal: it belongs to its landmark. */
export function Menu({
  label,
  trigger,
  children,
}: {
  label: string;
  trigger: ReactNode;
  children: ReactNode;
}) {
  return (
    <Dropdown.Root modal={false}>
      <Dropdown.Trigger
        aria-label={label}
        className="hover:bg-raised border-control flex min-h-9 max-w-full min-w-0 items-center gap-2 rounded-md border px-2.5 py-1"
      >
        <span className="truncate">{trigger}</span>
        <svg aria-hidden viewBox="0 0 10 6" className="h-1.5 w-2.5 shrink-0">
          <path d="M1 1l4 4 4-4" fill="none" stroke="currentColor" strokeWidth="1.5" />
        </svg>
      </Dropdown.Trigger>
      <Dropdown.Content
        align="end"
        sideOffset={4}
        collisionPadding={8}
        className="border-line bg-surface z-10 max-h-[70dvh] max-w-[calc(100vw-1rem)] min-w-52 overflow-y-auto rounded-md border p-1 shadow-lg"
      >
        {children}
      </Dropdown.Content>
    </Dropdown.Root>
  );
}

const ITEM =
  'flex min-h-9 items-center gap-2 rounded px-2.5 py-1.5 outline-none data-[highlighted]:bg-raised cursor-pointer';

export function MenuItem({ onSelect, children }: { onSelect: () => void; children: ReactNode }) {
  return (
    <Dropdown.Item className={ITEM} onSelect={onSelect}>
      {children}
    </Dropdown.Item>
  );
}

interface MenuChoiceProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string; note: string }[];
  onChange: (value: string) => void;
}

export function MenuRadioGroup({ label, value, options, onChange }: MenuChoiceProps) {
  return (
    <Dropdown.RadioGroup value={value} onValueChange={onChange} aria-label={label}>
      {options.map((option) => (
        <Dropdown.RadioItem key={option.value} value={option.value} className={ITEM}>
          <span aria-hidden className="w-3">
            {option.value === value ? '✓' : ''}
          </span>
          <span className="min-w-0 break-words">{option.label}</span>
          <span className="text-muted ml-auto text-xs">{option.note}</span>
        </Dropdown.RadioItem>
      ))}
    </Dropdown.RadioGroup>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Dropdown.Label className="text-muted px-2.5 py-1.5 text-xs break-words">{children}</Dropdown.Label>;
}
