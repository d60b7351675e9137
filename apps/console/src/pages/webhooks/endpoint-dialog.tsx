import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { requestJson } from '../../api/client.ts';
import {
  type WebhookEndpoint,
  ENDPOINT_EVENTS,
  type WebhookEndpointSettings,
  webhookEndpointsQueryOptions,
} from '../../api/webhooks.ts';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { CheckboxField, TextField } from '../../components/field.tsx';
import { ActionErrorNotice, findFieldMessageOfApiError } from '../../components/notice.tsx';
import { texts } from '../../texts/index.ts';
import { findEndpointChanges } from './find-endpoint-changes.ts';

const words = texts.webhooks.endpoints;
const SHOWN_FIELDS = ['url', 'description', 'events'];

interface EndpointDialogProps {
  accountId: string;
  /** Without it, a new one is made. */
  endpoint?: WebhookEndpoint;
  onClose: () => void;
}

export function EndpointDialog({ accountId, endpoint, onClose }: EndpointDialogProps) {
  const queryClient = useQueryClient();
  // The list is loaded again while the dialog is open: changes are relative to what the form showed first.
  const [opened] = useState(endpoint);
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [description, setDescription] = useState(endpoint?.description ?? '');
  const [events, setEvents] = useState<WebhookEndpointSettings['events']>(
    endpoint?.events ?? [...ENDPOINT_EVENTS],
  );
  const [enabled, setEnabled] = useState(endpoint?.enabled ?? true);
  const save = useMutation({
    mutationFn: (settings: WebhookEndpointSettings) =>
      opened
        ? requestJson<void>('PUT', `webhook-endpoints/${opened.id}`, findEndpointChanges(opened, settings))
        : requestJson<void>('POST', 'webhook-endpoints', settings),
    onSuccess: async () => {
      await queryClient.invalidateQueries(webhookEndpointsQueryOptions(accountId));
      void queryClient.invalidateQueries({ queryKey: [accountId, 'deliveries'] });
      onClose();
    },
  });
  const setEvent = (event: string, isChosen: boolean) =>
    setEvents(ENDPOINT_EVENTS.filter((each) => (each === event ? isChosen : events.includes(each))));
  const eventsField = useRef<HTMLFieldSetElement>(null);
  const errorId = useId();
  const eventsError = events.length === 0 ? words.noEvent : findFieldMessageOfApiError(save.error, 'events');
  return (
    <Dialog title={endpoint ? words.editTitle : words.add} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (events.length === 0) eventsField.current?.focus();
          else if (!save.isPending)
            save.mutate({ url: url.trim(), description: description.trim(), events, enabled });
        }}
      >
        <TextField
          label={words.url}
          help={words.urlHelp}
          error={findFieldMessageOfApiError(save.error, 'url')}
          type="url"
          required
          maxCharacters={2_048}
          autoComplete="off"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <TextField
          label={words.description}
          help={words.descriptionHelp}
          error={findFieldMessageOfApiError(save.error, 'description')}
          maxCharacters={200}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <fieldset
          ref={eventsField}
          tabIndex={-1}
          aria-describedby={eventsError === undefined ? undefined : errorId}
          className="flex flex-col gap-1"
        >
          <legend className="mb-1 font-medium">{words.events}</legend>
          {ENDPOINT_EVENTS.map((event) => (
            <CheckboxField
              key={event}
              label={texts.webhooks.events[event] ?? event}
              checked={events.includes(event)}
              onChange={(change) => setEvent(event, change.target.checked)}
            />
          ))}
          {eventsError !== undefined && (
            <p id={errorId} className="text-danger">
              {eventsError}
            </p>
          )}
        </fieldset>
        {endpoint && (
          <CheckboxField
            label={words.enabled}
            help={words.enabledHelp}
            checked={enabled}
            onChange={(event) => setEnabled(event.target.checked)}
          />
        )}
        <ActionErrorNotice error={save.error} shownFields={SHOWN_FIELDS} />
        <DialogActions busy={save.isPending} onClose={onClose}>
          {endpoint ? texts.save : words.add}
        </DialogActions>
      </form>
    </Dialog>
  );
}
