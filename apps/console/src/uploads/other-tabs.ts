type UserAction = 'pause' | 'cancel';

interface Message {
  action: UserAction;
  uploadId: string;
}

/** What the user does with an upload in one tab of the browser holds in all of them. */
export class OtherTabs {
  private readonly channel = new BroadcastChannel('upload-actions');

  constructor(onAction: Record<UserAction, (uploadId: string) => void>) {
    this.channel.addEventListener('message', ({ data }: MessageEvent<Message>) =>
      onAction[data.action](data.uploadId),
    );
  }

  tell(action: UserAction, uploadId: string): void {
    const message: Message = { action, uploadId };
    // A channel has no target.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.channel.postMessage(message);
  }
}
