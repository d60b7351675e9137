export interface Gate {
  opened: Promise<void>;
  open: () => void;
}

/** A promise that a test resolves. */
export function createGate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
