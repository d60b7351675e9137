export interface Gate {
  opened: Promise<void>;
  open: () => void;
}

/** Something that happens when the test says so. */
export function createGate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
