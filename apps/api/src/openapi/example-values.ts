/** Values of all examples; they describe one job. */
export const EXAMPLE_VALUES = {
  accountId: '019a9f00-3b52-7d18-a6c4-0e9d4b71c2f5',
  jobId: '019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10',
  otherJobId: '019a9f5e-9d02-7a41-8c55-20c4e1f7b3aa',
  createdAt: '2026-11-20T09:30:00.123456Z',
  /** Equals `createdAt`, in milliseconds. */
  documentCreatedAt: '2026-11-20T09:30:00.123Z',
  completedAt: '2026-11-20T09:30:07.001250Z',
  audioUrl: 'https://media.example.com/interview.mp3',
  callbackUrl: 'https://app.example.com/hooks/transcripts',
  uploadUrl: 'https://storage.example.com/audio/019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10?signature=4f1c',
  partUrl: 'https://storage.example.com/audio/019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10?part=1&signature=9be0',
  downloadUrl: 'https://api.example.com/transcripts/019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10?signature=77aa',
  etag: '"9b2cf535f27731c974343645a3985328"',
  requestId: '6f0e8a1c-4d0b-4a52-b0f6-0f6f3f0c8f11',
  webhookSignature: 'sha256=0f4c8e9d2b6a1f3750c4d8e1b2a39687f5e4d3c2b1a0987654321fedcba98765',
  deliveryId: '019a9f60-11aa-7f10-9a44-7be0a7c2d9e1',
} as const;
