import type { Mail } from './mailer.js';

/** Of an account or a person: without line breaks, and not so long that it hides the rest. */
const shorten = (name: string) => name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 80);

export function writeInvitationMail(
  to: string,
  invitation: { invitedBy: string; account: string; role: string; link: string },
): Mail {
  const account = shorten(invitation.account);
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

export function writeForgottenPasswordMail(to: string, link: string): Mail {
  return {
    to,
    subject: 'Set a new password',
    text: [
      `Set a new password within an hour; the link works once:\n\n${link}`,
      'If you did not ask for this, do nothing: your password stays as it is.',
    ].join('\n\n'),
  };
}
