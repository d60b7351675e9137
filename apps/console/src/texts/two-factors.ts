export const twoFactorsTexts = {
  settingsTitle: 'Two factors',
  on: 'Members reach this account only after a sign-in with two factors. API keys are not concerned.',
  off: 'Members reach this account with any sign-in, also with a password alone.',
  serviceWide: 'This service requires two factors of everybody. API keys are not concerned.',
  turnOn: 'Require two factors',
  turnOff: 'Require them no longer',
  turnOnTitle: 'Require two factors?',
  turnOnText:
    'Members who signed in with one factor see a page that sets up a second one, and nothing else of this account until they have it.',
  turnOffTitle: 'Require two factors no longer?',
  turnOffText: 'A password alone will then be enough for members who have set up nothing else.',
  notYourself:
    'To require two factors, you need them yourself: set up a second factor in your profile, or sign in again with the one that you have.',
  toProfile: 'Open the profile',
  title: 'A second factor is needed',
  /** @param account that requires them; null for the service */
  intro: (account: string | null) =>
    `You signed in with one factor, and ${
      account === null
        ? 'this service requires two of everybody'
        : `the account “${account}” requires two of its members`
    }. After the second one you see the page that you opened.`,
  codeText: 'Enter the code that your authenticator app shows, or a recovery code.',
  code: 'Code',
  passkeyText: 'Sign in with your passkey.',
  passkeyElsewhere:
    'You have a passkey, but this browser cannot use it here. Sign in where you can use it. If you have lost it, ask the operator of the service.',
  leaveText: 'You can leave this account without a second factor.',
  setUpInTimeText:
    'You have no password, so this is possible in the ten minutes after your sign-in. Later, sign in again first, with a new link if you came by a link.',
  setUpText: 'Set up one of these. You need it at every sign-in from then on.',
};
