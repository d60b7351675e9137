export const signInTexts = {
  signIn: {
    title: 'Sign in',
    email: 'Mail address',
    password: 'Password',
    submit: 'Sign in',
    forgotten: 'No password yet, or forgotten? The operator of this service can make you a new sign-in link.',
    ended: 'Your session has ended. Sign in to go on where you were.',
    linkTitle: 'Sign in by link',
    linkText: 'This link signs you in once.',
    linkFailed:
      'This link does not work: it was used, has expired, or is not complete. Have a new one sent, or sign in with your password.',
    withPassword: 'Sign in with a password',
    codeTitle: 'Second factor',
    codeText: 'Enter the six digits that your authenticator app shows, or one of your recovery codes.',
    code: 'Code',
    back: 'Start again',
    withPasskey: 'Sign in with a passkey',
    withProvider: 'Sign in through your organisation',
    forgotLink: 'Forgot your password?',
    passkeyCancelled: 'No passkey was used. Try again, or sign in another way.',
    failures: {
      oidc_failed: 'The sign-in through your organisation failed. Try again.',
      address_not_allowed:
        'Your organisation did not confirm a mail address that may sign in here. Ask the operator of this service.',
      another_identity:
        'Somebody else of your organisation has signed in here with your mail address before. Ask the operator of this service.',
      not_invited:
        'There is no user with your mail address. Ask an owner or admin of an account to invite you.',
      several_invitations:
        'Several accounts have invited you. Open the link of the invitation that you want to accept, and join through your organisation there.',
      user_disabled: 'Your user is disabled. Ask the operator of this service.',
    },
    passwordWasSet: 'Your password is set. Sign in with it.',
  },
  password: {
    new: 'New password',
    current: 'Current password',
    help: 'At least 10 characters. A few words are better than symbols.',
    show: 'Show',
    hide: 'Hide',
    setTitle: 'Set a password',
    setText: 'This ends your sessions in all browsers.',
    set: 'Set password',
  },
  forgotPassword: {
    title: 'Forgotten password',
    text: 'Enter your mail address. If a user has it, a link to set a new password is sent to it.',
    submit: 'Send the link',
    sentTitle: 'Check your mail',
    sent: (email: string) =>
      `If a user has the address ${email}, a link to set a new password is on its way. It works once, for an hour.`,
    none: 'No mail after some minutes? Look at the spam folder, or ask the operator of this service for a link.',
    back: 'Back to sign-in',
  },
  linkMissing: {
    title: 'The link is not complete',
    text: 'Open the whole link again, with everything after #.',
    toSignIn: 'Go to sign-in',
  },
  invitation: {
    title: 'Invitation',
    text: (account: string, role: string) => `You are invited to ${account} as ${role}.`,
    forEmail: 'For',
    name: 'Your name',
    acceptNew: 'Join',
    accept: 'Join the account',
    haveUser: 'I already sign in here',
    withProvider: 'Join through your organisation',
    otherUser: (email: string) => `You are signed in as ${email}. Sign out to accept this invitation.`,
    fails: 'This invitation does not work any more: it was used or withdrawn, or it has expired.',
    signedInAs: (email: string) =>
      `You are signed in as ${email}. If you do not find the account in the console, ask for a new invitation.`,
    notSignedIn: 'If you joined with it, sign in. Otherwise ask for a new invitation.',
    toConsole: 'Open the console',
  },
};
