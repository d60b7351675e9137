/** Texts of the page Welcome. */
export const welcomeTexts = {
  title: 'Welcome',
  intro: (account: string) =>
    `Transcribe for ${account} in this browser, or from a program of your own: a key, a transcript, and the code for both.`,
  viewerIntro: (account: string) => `Here you read what ${account} has transcribed.`,
  viewer:
    'Your role can read jobs, transcripts, usage and balance. Ask an owner or admin for another role to transcribe.',
  viewerTitle: 'What you can look at',
  viewerLinks: {
    jobs: 'Jobs, with their transcripts',
    webhooks: 'Webhooks, with their deliveries',
    billing: 'Usage and balance',
  },
  noPassword: 'The link that signed you in works once, and you have no password yet.',
  setPassword: 'Set a password in your profile',
  ownTitle: 'In this browser',
  ownText:
    'Choose a file, record with the microphone, or give an address. Neither a key nor a program is needed.',
  keyTitle: '1. Create a key',
  keyText:
    'Programs call the API with a key. It is shown once, when it is created, and is in the code below until you leave this page.',
  keyShown: 'Copy it now: it is not shown again after you leave this page.',
  keyButton: 'Create a key',
  keyName: 'First key',
  key: 'API key',
  keyForbidden: 'Your role cannot create keys.',
  sampleTitle: '2. Transcribe the sample',
  sampleText:
    'A conversation between two people, which comes with the service. It costs credits like any other job.',
  sampleButton: 'Transcribe the sample',
  sampleAgain: 'Transcribe it again',
  sampleName: 'Sample',
  sampleDownload: 'Download the audio',
  codeTitle: '3. The same from your program',
  codeText: 'Each program sends the sample and saves or prints its transcript.',
  codeWithoutKey: 'The programs read the key from ZEPHYR_API_KEY.',
  ownAudio: 'Transcribe your own audio',
};
