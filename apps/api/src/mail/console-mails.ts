import { type Mail, sanitizeNameForMail } from '@app/runtime';

export function composeInvitationMail(
  to: string,
  invitation: { invitedBy: string; account: string; role: string; link: string },
): Mail {
  const account = sanitizeNameForMail(invitation.account);
  return {
    to,
    subject: `Invitation to ${account}`,
    text: [
      `${invitation.invitedBy} invites you to the account “${account}” as ${invitation.role}.`,
      `Accept within 7 days:\n\n${invitation.link}`,
      'If you do not expect this, do nothing.',
    ].join('\n\n'),
  };
}

export function composeForgottenPasswordMail(to: string, link: string): Mail {
  return {
    to,
    subject: 'Set a new password',
    text: [
      `Set a new password within an hour; the link works once:\n\n${link}`,
      'If you did not ask for this, do nothing: your password stays as it is.',
    ].join('\n\n'),
  };
}
