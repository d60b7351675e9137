/** Generated from docs/openapi.json by `npm run docs:generate`. */

export interface components {
  schemas: {
    UploadResponse: {
      /**
       * Format: uuid
       * @example 019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10
       */
      job_id: string;
      /**
       * Format: uri
       * @description Signed URL for the PUT of the audio; `null` with `audio_url`.
       * @example https://storage.example.com/audio/019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10?signature=4f1c
       */
      upload_url: string | null;
      /**
       * Format: uri
       * @description Signed URL of the transcript; 404 until the job has completed.
       * @example https://api.example.com/transcripts/019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10?signature=77aa
       */
      download_url: string;
      /**
       * @description The exact `Content-Type` of the PUT; the URL is signed for it.
       * @example application/octet-stream
       */
      content_type: string;
      /**
       * @description Seconds until the upload URL expires; `download_url` has a longer lifetime by default.
       * @example 3600
       */
      expires_in: number;
    };
    StatusResponse: {
      /**
       * @description The result of the action, or the status of the job when there was nothing to do.
       * @enum {string}
       */
      status: 'active' | 'queued' | 'aborted' | 'cancelled' | 'processing' | 'completed' | 'failed';
    };
    PartUrlResponse: {
      /** @example 1 */
      part_number: number;
      /**
       * Format: uri
       * @description Signed URL for the PUT of the part. Keep the `ETag` header of the response.
       * @example https://storage.example.com/audio/019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10?part=1&signature=9be0
       */
      url: string;
    };
    MultipartResponse: {
      /**
       * Format: uuid
       * @example 019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10
       */
      job_id: string;
      /**
       * @description The upload, as the object store names it.
       * @example 2~aXk3
       */
      upload_id: string;
      /**
       * Format: uri
       * @description Signed URL of the transcript; 404 until the job has completed.
       * @example https://api.example.com/transcripts/019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10?signature=77aa
       */
      download_url: string;
      /**
       * @description Bytes of every part but the last.
       * @example 16777216
       */
      part_size: number;
      /**
       * @description How many parts there are.
       * @example 90
       */
      num_parts: number;
      parts: components['schemas']['PartUrlResponse'][];
      /**
       * @description Seconds until the upload URLs of the parts expire; `download_url` has a longer lifetime by default.
       * @example 86400
       */
      expires_in: number;
    };
    ReportedPart: {
      /** @example 1 */
      part_number: number;
      /**
       * @description The `ETag` header of the response to the PUT of the part.
       * @example "9b2cf535f27731c974343645a3985328"
       */
      etag: string;
    };
    AccountApiKey: {
      /**
       * @description The public part of the key.
       * @example k7Qm2vXw9a
       */
      id: string;
      /** @example production */
      name: string;
    };
    AccountCredits: {
      /**
       * @description Credits that can be spent now.
       * @example 35900
       */
      balance: number;
      /**
       * @description Credits reserved for jobs that have not ended; not part of the balance.
       * @example 120
       */
      held: number;
      /**
       * @description Price per started second of audio; 0 when nothing is charged.
       * @example 1
       */
      per_second: number;
    };
    AccountMaxBytes: {
      /**
       * @description Of a single upload.
       * @example 5368709120
       */
      upload: number;
      /**
       * @description Of an upload in parts.
       * @example 10737418240
       */
      multipart: number;
      /**
       * @description Of `POST /api/v1/transcribe`.
       * @example 200000000
       */
      transcribe: number;
    };
    AccountUsage: {
      /**
       * Format: date-time
       * @description Midnight in UTC.
       * @example 2026-11-20T00:00:00Z
       */
      since: string;
      /**
       * @description Jobs that this key created.
       * @example 42
       */
      jobs_created: number;
      /**
       * @description Jobs of this key that were completed, whenever they were created.
       * @example 40
       */
      jobs_completed: number;
      /**
       * @description Jobs of this key that failed or were cancelled, whenever they were created.
       * @example 1
       */
      jobs_failed: number;
      /**
       * @description Seconds of audio of the jobs that were completed.
       * @example 2412.5
       */
      audio_seconds: number;
      /**
       * @description Credits charged for the jobs that ended.
       * @example 2431
       */
      credits_charged: number;
    };
    AccountResponse: {
      /**
       * Format: uuid
       * @example 019a9f00-3b52-7d18-a6c4-0e9d4b71c2f5
       */
      account_id: string;
      /** @example Example Media */
      name: string;
      /** @description The key of this request. */
      api_key: components['schemas']['AccountApiKey'];
      /** @description Credits of the account. */
      credits: components['schemas']['AccountCredits'];
      /** @description Largest files, in bytes. */
      max_bytes: components['schemas']['AccountMaxBytes'];
      /**
       * @description Requests per minute of this key by name of the limit; `null` where requests are not limited.
       * @example {
       *       "account": 120,
       *       "upload": 120,
       *       "upload.progress": 600,
       *       "upload.complete": 120,
       *       "multipart.create": 120,
       *       "multipart.complete": 120,
       *       "multipart.abort": 120,
       *       "transcribe": 120,
       *       "jobs.list": 120,
       *       "jobs.get": 120,
       *       "jobs.stream": 120,
       *       "jobs.transcript": 120,
       *       "jobs.speakers": 120,
       *       "jobs.check-failed": 60,
       *       "jobs.cancel": 30,
       *       "jobs.delete": 60
       *     }
       */
      rate_limits: {
        [key: string]: number | null;
      };
      /** @description What this key has used today. Deleted jobs are not counted. */
      today: components['schemas']['AccountUsage'];
    };
    JobListItem: {
      /**
       * Format: uuid
       * @example 019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10
       */
      job_id: string;
      /**
       * Format: date-time
       * @description UTC, with microseconds; unique within an account.
       * @example 2026-11-20T09:30:00.123456Z
       */
      created_at: string;
      /**
       * @description `processing` until the job has ended; the other two never change.
       * @example completed
       * @enum {string}
       */
      status?: 'processing' | 'completed' | 'failed';
      /**
       * @description Format of the stored transcript.
       * @example json
       * @enum {string}
       */
      output_type?: 'json' | 'txt' | 'srt' | 'vtt' | 'docx' | 'pdf';
      /**
       * @description As given at creation; empty without any.
       * @example {
       *       "file": "interview-17.mp3",
       *       "customer": "4711"
       *     }
       */
      metadata?: {
        [key: string]: string;
      };
      /**
       * @description Seconds of audio; `null` until it has been decoded.
       * @example 61.44
       */
      duration_seconds?: number | null;
      /**
       * Format: date-time
       * @description When it was `completed`; `null` in every other state.
       * @example 2026-11-20T09:30:07.001250Z
       */
      completed_at?: string | null;
      /**
       * @description Where it failed, once `failed`: `upload`, `preprocess`, `chunk:N`, `aggregation`, `billing`, `cancelled`.
       * @example null
       */
      failed_stage?: string | null;
      /**
       * @description Why it failed, once `failed`, in words for people.
       * @example null
       */
      reason?: string | null;
    };
    JobListResponse: {
      /** @description Newest first. */
      jobs: components['schemas']['JobListItem'][];
      /**
       * Format: date-time
       * @description `before` of the next page; null on the last one.
       * @example 2026-11-20T09:30:00.123456Z
       */
      next_before: string | null;
    };
    JobResponse: {
      /**
       * Format: uuid
       * @example 019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10
       */
      job_id: string;
      /**
       * @description `processing` until the job has ended; the other two never change.
       * @example completed
       * @enum {string}
       */
      status: 'processing' | 'completed' | 'failed';
      /**
       * Format: uri
       * @description Signed URL of the transcript, once `completed`; each retrieval signs a new one.
       * @example https://api.example.com/transcripts/019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10?signature=77aa
       */
      download_url: string | null;
      /**
       * @description Where it failed, once `failed`: `upload`, `preprocess`, `chunk:N`, `aggregation`, `billing`, `cancelled`.
       * @example null
       */
      failed_stage: string | null;
      /**
       * @description Why it failed, once `failed`, in words for people.
       * @example null
       */
      reason: string | null;
      /**
       * Format: date-time
       * @description UTC, with microseconds; unique within an account.
       * @example 2026-11-20T09:30:00.123456Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When it was `completed`; `null` in every other state.
       * @example 2026-11-20T09:30:07.001250Z
       */
      completed_at: string | null;
      /**
       * @description Format of the stored transcript.
       * @example json
       * @enum {string}
       */
      output_type: 'json' | 'txt' | 'srt' | 'vtt' | 'docx' | 'pdf';
      /**
       * @description Seconds of audio; `null` until it has been decoded.
       * @example 61.44
       */
      duration_seconds: number | null;
      /**
       * @description As given at creation; empty without any.
       * @example {
       *       "file": "interview-17.mp3",
       *       "customer": "4711"
       *     }
       */
      metadata: {
        [key: string]: string;
      };
    };
    SpeakersResponse: {
      /**
       * Format: uuid
       * @example 019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10
       */
      job_id: string;
      /**
       * @description Every label of the transcript with its name, `null` without one.
       * @example {
       *       "SPEAKER_1": "Ada",
       *       "SPEAKER_2": null
       *     }
       */
      speakers: {
        [key: string]: string | null;
      };
    };
    /** @description Too many streams are open. This one starts when a slot is free. */
    WaitingEvent: {
      /**
       * @description Position in the queue.
       * @example 3
       */
      position: number;
      /**
       * @description Estimated seconds until the stream starts.
       * @example 12
       */
      eta_seconds: number;
    };
    /** @description A step is done. Advisory: counts, not a percentage, and chunks in any order. */
    ProgressEvent: {
      /**
       * @description Number of steps that are done.
       * @example 2
       */
      completed: number;
      /**
       * @description Number of steps of this file.
       * @example 5
       */
      total: number;
      /**
       * @description `preprocess`, `chunk:N` (N from 0) or `aggregation`.
       * @example chunk:0
       */
      step: string;
    };
    /** @description The transcript is ready. The last event of the job. */
    CompletedEvent: {
      /**
       * Format: uuid
       * @example 019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10
       */
      job_id: string;
      /**
       * Format: uri
       * @description Signed URL of the transcript. `null` only if it has been deleted.
       * @example https://api.example.com/transcripts/019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10?signature=77aa
       */
      download_url: string | null;
      /**
       * @description Format of the transcript.
       * @example json
       * @enum {string}
       */
      output_type: 'json' | 'txt' | 'srt' | 'vtt' | 'docx' | 'pdf';
      /**
       * @description As given at creation; absent without any.
       * @example {
       *       "file": "interview-17.mp3",
       *       "customer": "4711"
       *     }
       */
      metadata?: {
        [key: string]: string;
      };
    };
    /** @description There will be no transcript. The last event of the job. */
    FailedEvent: {
      /**
       * @description Where it failed.
       * @example preprocess
       */
      step: string;
      /**
       * @description Why, in words for people.
       * @example The file holds no audio that can be decoded.
       */
      reason: string;
    };
    /** @description Options of every job. */
    JobOptions: {
      /** @description The only model available. */
      model?: components['schemas']['Model'];
      /**
       * @description Format of the stored transcript.
       * @example txt
       */
      output_type?: components['schemas']['OutputType'];
      /** @description Start and end of every word. */
      word_timestamps?: components['schemas']['EnabledByDefault'];
      /** @description Diarization: speakers are `SPEAKER_1`, `SPEAKER_2`, … by first appearance. A sentence ends where the speaker changes, so without it the rules that punctuate may set other sentence ends, commas and capitals. */
      speaker_labels?: components['schemas']['EnabledByDefault'];
      /** @description Alias of `speaker_labels`. Sending both with different values is rejected. */
      diarize?: boolean;
      /** @description Punctuation and sentence segmentation. */
      nltk?: components['schemas']['EnabledByDefault'];
      /** @description `false` leaves hesitations such as “um” out of the transcript. */
      filler_words?: components['schemas']['EnabledByDefault'];
      /**
       * @description What is replaced by marks such as `[email]` in every format of the transcript. The audio is not changed.
       * @example [
       *       "email",
       *       "phone"
       *     ]
       */
      redact?: ('email' | 'phone' | 'card' | 'iban' | 'ip' | 'url' | 'number')[] | null;
      /** @description Whether the two channels of a recording are transcribed apart, each with its own speakers: `auto` if each has a speaker of its own, `true` always, `false` never. Costs the same. */
      multichannel?: components['schemas']['Multichannel'];
      /** @description How many speakers the recording has, if that is known. */
      num_speakers?: number | null;
      /** @description The least number of speakers, if that is known. */
      min_speakers?: number | null;
      /** @description The greatest number of speakers, if that is known. */
      max_speakers?: number | null;
      /** @description The only tier available. */
      tier?: components['schemas']['Tier'];
      /**
       * @description Domain terms to bias the recogniser towards.
       * @example [
       *       "Zephyr",
       *       "diarization"
       *     ]
       */
      custom_vocabulary?: string[] | null;
      /** @description Name of a vocabulary of the account (Settings in the console). Its terms, as they are when the job is created, are added to `custom_vocabulary`; together they are at most 1,000. */
      vocabulary?: string | null;
      /**
       * Format: uri
       * @description http or https URL of a webhook that is sent when the job has ended. Must resolve to public addresses only.
       * @example https://app.example.com/hooks/transcripts
       */
      callback_url?: string | null;
      /**
       * @description Up to 16 short strings of your own to find the job again. Returned by retrievals, `completed` events and webhooks; usable as list filters.
       * @example {
       *       "file": "interview-17.mp3",
       *       "customer": "4711"
       *     }
       */
      metadata?: {
        [key: string]: string;
      } | null;
    };
    /**
     * @default zephyr
     * @enum {string}
     */
    Model: 'zephyr';
    /**
     * @default json
     * @enum {string}
     */
    OutputType: 'json' | 'txt' | 'srt' | 'vtt' | 'docx' | 'pdf';
    /** @default true */
    EnabledByDefault: boolean;
    /**
     * @default auto
     * @enum {string}
     */
    Multichannel: 'auto' | true | false;
    /**
     * @default standard
     * @enum {string}
     */
    Tier: 'standard';
    Problem: {
      /**
       * Format: uri
       * @description `urn:zephyr:error:` and the code.
       */
      type: string;
      /** @description Summary, the same for every error with this code. */
      title: string;
      /** @description The HTTP status. */
      status: number;
      /** @description What happened in this request. */
      detail: string;
      /**
       * @description Stable machine-readable code; decide on it. New codes may be added. The reference page `/docs` lists all of them under Error codes.
       * @enum {string}
       */
      code:
        | 'malformed_request'
        | 'invalid_parameter'
        | 'upload_incomplete'
        | 'upload_too_large'
        | 'upload_type_mismatch'
        | 'invalid_parts'
        | 'transcript_not_ready'
        | 'job_failed'
        | 'job_cancelled'
        | 'transcript_deleted'
        | 'transcript_too_large'
        | 'invalid_api_key'
        | 'insufficient_credits'
        | 'signature_mismatch'
        | 'url_expired'
        | 'content_type_mismatch'
        | 'upload_closed'
        | 'not_found'
        | 'job_not_found'
        | 'object_not_found'
        | 'method_not_allowed'
        | 'request_timeout'
        | 'idempotency_key_in_use'
        | 'file_too_large'
        | 'range_not_satisfiable'
        | 'validation_failed'
        | 'idempotency_key_reused'
        | 'rate_limit_exceeded'
        | 'concurrency_limit_exceeded'
        | 'quota_exceeded'
        | 'headers_too_large'
        | 'internal_error'
        | 'service_unavailable';
      /** @description The same as in the header `X-Request-Id`. */
      request_id: string;
      /** @description The wrong fields: with status 422, and with 400 if a field is wrong. */
      errors?: {
        /** @description The field, header or query parameter, in dotted form: `parts.0.etag`. */
        field: string;
        /** @description What is wrong with it. */
        message: string;
      }[];
    };
    /** @description The `json` output, from which every other format is rendered. */
    TranscriptDocument: {
      /**
       * Format: uuid
       * @description The job.
       */
      job_id: string;
      /**
       * @description The number after the point is raised when fields are added; a transcript that was stored earlier lacks them.
       * @example 1.1
       */
      schema_version: string;
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      created_at: string;
      /** @description The public name of the model. */
      model: string;
      /** @description The engine, its model and version; null if it does not report them. */
      engine: {
        name: string;
        model: string | null;
        version: string | null;
      };
      /** @description Length of the file in seconds. */
      duration: number;
      /** @description The detected language that is spoken most. */
      language: string | null;
      /** @description All detected languages, the one that is spoken most first. */
      languages: string[];
      /** @description 0 to 1, null when unknown. */
      confidence: number | null;
      /** @description The whole text. */
      text: string;
      /** @description The speakers; empty without `speaker_labels`. */
      speakers: components['schemas']['TranscriptSpeaker'][];
      /** @description In order of their start. They overlap only if people on different channels talk at once. */
      segments: components['schemas']['TranscriptSegment'][];
      /** @description In order; empty without `speaker_labels`. */
      turns: components['schemas']['TranscriptTurn'][];
      /** @description In order; together they hold all segments. */
      paragraphs: components['schemas']['TranscriptParagraph'][];
      /** @description What could not be done, or was missing. */
      warnings: components['schemas']['TranscriptWarning'][];
      /** @description The options of the job, with the defaults filled in. */
      options: Record<string, never>;
      /** @description What the job used. */
      usage: {
        /** @description Seconds of audio that were transcribed; equals `duration`. */
        seconds: number;
        /** @description Credits charged for the job, by started seconds: 64.4 seconds are charged as 65. null if not known. */
        credits: number | null;
      };
    };
    /** @description A sentence, or an utterance between pauses. */
    TranscriptSegment: {
      /** @description Index in `segments`, from 0. */
      id: number;
      /** @description Seconds from the start of the file. */
      start: number;
      /** @description Seconds from the start of the file. */
      end: number;
      /** @description What is said. */
      text: string;
      /** @description Of this segment. */
      language: string | null;
      /** @description Label of the speaker; null without `speaker_labels`. */
      speaker: string | null;
      /** @description Channel of the recording, from 1; null if the channels were not transcribed apart. */
      channel: number | null;
      /** @description 0 to 1, null when unknown. */
      confidence: number | null;
      /** @description null without `word_timestamps`. */
      words: components['schemas']['TranscriptWord'][] | null;
    };
    /** @description One word. */
    TranscriptWord: {
      /** @description With the capitals and punctuation of the segment text. */
      word: string;
      /** @description Seconds from the start of the file. */
      start: number;
      /** @description Seconds from the start of the file. */
      end: number;
      /** @description 0 to 1, null when unknown. */
      confidence: number | null;
      /** @description Who says it. */
      speaker: string | null;
      /** @description Channel of the recording, from 1; null if the channels were not transcribed apart. */
      channel: number | null;
      /** @description Of this word; null if the engine reports none. */
      language: string | null;
      /** @description True if the engine gave no times for this word, and the service estimated them. */
      estimated: boolean;
      /** @description What the word stands for if it was redacted, such as `email` (its text is then `[email]`); null for other words. */
      redacted: string | null;
    };
    /** @description One speaker of the recording. */
    TranscriptSpeaker: {
      /** @description `SPEAKER_1`, `SPEAKER_2`, … by first appearance. */
      id: string;
      /** @description Name of the speaker; null until one is set. */
      name: string | null;
      /** @description Seconds in which this speaker talks. */
      duration: number;
      /** @description Channel of the recording, from 1; null if the channels were not transcribed apart. */
      channel: number | null;
    };
    /** @description What one speaker says until another one speaks: consecutive segments. */
    TranscriptTurn: {
      /** @description Seconds from the start of the file. */
      start: number;
      /** @description Seconds from the start of the file. */
      end: number;
      /** @description What is said. */
      text: string;
      /** @description Label of the speaker; null if unknown. */
      speaker: string | null;
      /** @description `id` of its first segment. */
      first_segment: number;
      /** @description `id` of its last segment. */
      last_segment: number;
    };
    /** @description Consecutive sentences of one speaker and language without a long pause. */
    TranscriptParagraph: {
      /** @description Seconds from the start of the file. */
      start: number;
      /** @description Seconds from the start of the file. */
      end: number;
      /** @description What is said. */
      text: string;
      /** @description Label of the speaker; null if unknown. */
      speaker: string | null;
      /** @description `id` of its first segment. */
      first_segment: number;
      /** @description `id` of its last segment. */
      last_segment: number;
      /** @description Of its segments. */
      language: string | null;
    };
    /** @description Something that could not be done, or that was missing. */
    TranscriptWarning: {
      /** @description Stable machine name, such as `speakers_unavailable` or `audio_truncated`; more may be added. */
      code: string;
      /** @description In words for people. */
      message: string;
      /** @description null when it is about the whole file. */
      segment_id: number | null;
    };
    /** @description The body of a webhook, one of two kinds by `status`. */
    JobNotification:
      components['schemas']['CompletedNotification'] | components['schemas']['FailedNotification'];
    /** @description The transcript is ready. */
    CompletedNotification: {
      /**
       * Format: uuid
       * @example 019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10
       */
      job_id: string;
      /**
       * @description How the job ended.
       * @constant
       */
      status: 'completed';
      /**
       * Format: uri
       * @description Signed URL of the transcript. `null` only if it was deleted before the webhook was sent.
       */
      download_url: string | null;
      /**
       * @description As given at creation; absent without any.
       * @example {
       *       "file": "interview-17.mp3",
       *       "customer": "4711"
       *     }
       */
      metadata?: {
        [key: string]: string;
      };
    };
    /** @description There will be no transcript. */
    FailedNotification: {
      /**
       * Format: uuid
       * @example 019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10
       */
      job_id: string;
      /**
       * @description How the job ended.
       * @constant
       */
      status: 'failed';
      /** @description Where it failed. */
      step: string;
      /** @description Why, in words for people. */
      reason: string;
      /**
       * @description As given at creation; absent without any.
       * @example {
       *       "file": "interview-17.mp3",
       *       "customer": "4711"
       *     }
       */
      metadata?: {
        [key: string]: string;
      };
    };
    /** @description One event of `GET /api/v1/jobs/{job_id}/stream`. `event` determines the schema of `data`. */
    JobStreamEvent:
      | {
          /** @constant */
          event: 'waiting';
          /** @description A value for `Last-Event-ID`. */
          id?: string;
          data: components['schemas']['WaitingEvent'];
        }
      | {
          /** @constant */
          event: 'progress';
          /** @description A value for `Last-Event-ID`. */
          id?: string;
          data: components['schemas']['ProgressEvent'];
        }
      | {
          /** @constant */
          event: 'completed';
          /** @description A value for `Last-Event-ID`. */
          id?: string;
          data: components['schemas']['CompletedEvent'];
        }
      | {
          /** @constant */
          event: 'failed';
          /** @description A value for `Last-Event-ID`. */
          id?: string;
          data: components['schemas']['FailedEvent'];
        };
  };
  responses: never;
  parameters: {
    /** @description Your own id for the request, 8 to 64 letters, digits, `_` and `-`. Anything else is replaced. */
    RequestId: string;
  };
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export interface operations {
  listJobs: {
    parameters: {
      query?: {
        /** @description Jobs per page. */
        limit?: number;
        /** @description Only jobs created before this time (ISO 8601; UTC without an offset). */
        before?: string;
        /** @description Only jobs with this status. A job whose status changes between two pages may be missed. */
        status?: 'processing' | 'completed' | 'failed';
        /** @description Only jobs that have all of these entries: one `metadata.KEY=value` per entry. Generated clients write `metadata[KEY]=value`, which means the same. */
        metadata?: {
          [key: string]: string;
        };
        /** @description Additional row fields, comma-separated: `status`, `output_type`, `metadata`, `duration_seconds`, `completed_at`, `failed_stage`, `reason`. */
        fields?: string;
      };
      header?: {
        /** @description Your own id for the request, 8 to 64 letters, digits, `_` and `-`. Anything else is replaced. */
        'X-Request-Id'?: components['parameters']['RequestId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: never;
  };
}
