interface TextBlockProps {
  label: string;
  text: string;
  /** Long lines of code do not wrap. */
  isCode?: boolean;
}

/** A text of several lines as it is. It scrolls, also by keyboard. */
export function ScrollableTextBlock({ label, text, isCode = false }: TextBlockProps) {
  return (
    <pre
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
      tabIndex={0}
      role="region"
      aria-label={label}
      className={`border-line bg-raised max-h-96 overflow-auto rounded-md border p-3 font-mono text-xs ${isCode ? '' : 'break-words whitespace-pre-wrap'}`}
    >
      <code>{text}</code>
    </pre>
  );
}
