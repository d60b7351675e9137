import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { CheckboxField } from '../../components/field.tsx';
import { texts } from '../../texts/index.ts';

interface ShortcutsDialogProps {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  onClose: () => void;
}

/** The keys, and whether they are used: single keys disturb speech input. */
export function ShortcutsDialog({ isOn, onChange, onClose }: ShortcutsDialogProps) {
  return (
    <Dialog title={texts.transcript.shortcuts} onClose={onClose}>
      <CheckboxField
        label={texts.transcript.shortcutsOn}
        checked={isOn}
        onChange={({ target }) => onChange(target.checked)}
      />
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {texts.transcript.shortcutsHelp.map(({ keys, action }) => (
          <div key={keys} className="contents">
            <dt className="font-mono">{keys}</dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
      <div className="flex justify-end">
        <Button onClick={onClose}>{texts.close}</Button>
      </div>
    </Dialog>
  );
}
