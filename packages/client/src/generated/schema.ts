/** Generated from docs/openapi.json by `npm run docs:generate`. */

export interface components {
  schemas: {
    CreateUpload:
      components['schemas']['CreateUploadOfFile'] | components['schemas']['CreateUploadByAddress'];
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
    JobId: {
      /**
       * Format: uuid
       * @example 019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10
       */
      job_id: string;
    };
    StatusResponse: {
      /**
       * @description The result of the action, or the status of the job when there was nothing to do.
       * @enum {string}
       */
      status: 'active' | 'queued' | 'aborted' | 'cancelled' | 'processing' | 'completed' | 'failed';
    };
    CreateMultipart: {
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
      /**
       * @description Bytes. Used only to plan the parts.
       * @example 1500000000
       */
      file_size: number;
      /** @description Bytes per part, 16 MiB by default; clamped to 5 MiB to 5 GiB and raised for very large files. */
      part_size?: number | null;
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
    CompleteMultipart: {
      /**
       * Format: uuid
       * @example 019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10
       */
      job_id: string;
      parts: components['schemas']['ReportedPart'][];
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
      /** @description What this key has used today. */
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
    CheckFailed: {
      /**
       * @example [
       *       "019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10",
       *       "019a9f5e-9d02-7a41-8c55-20c4e1f7b3aa"
       *     ]
       */
      job_ids: string[];
    };
    CheckFailedResponse: {
      /**
       * @description One per id, in the same order; `false` for an unknown id.
       * @example [
       *       false,
       *       true
       *     ]
       */
      failed_jobs: boolean[];
    };
    NameSpeakers: {
      /**
       * @description Names by label. `null` removes a name; labels that are not mentioned keep theirs.
       * @example {
       *       "SPEAKER_1": "Ada",
       *       "SPEAKER_2": null
       *     }
       */
      speakers: {
        [key: string]: string | null;
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
    /** @description The job exists and is queued. */
    AcceptedEvent: {
      /**
       * Format: uuid
       * @example 019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10
       */
      job_id: string;
      /**
       * Format: uri
       * @description Signed URL of the transcript; 404 until the job has completed.
       * @example https://api.example.com/transcripts/019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10?signature=77aa
       */
      download_url: string;
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
    /** @description A file that is uploaded with a PUT. */
    CreateUploadOfFile: components['schemas']['JobOptions'] & {
      /** @description Bytes of the file. An upload with fewer bytes cannot be completed; more are allowed, up to twice as many or 64 MiB more, within the limit of the route. */
      file_size: number;
      audio_url?: null;
    };
    /** @description The service fetches the audio. */
    CreateUploadByAddress: components['schemas']['JobOptions'] & {
      /**
       * Format: uri
       * @description http or https URL from which the service fetches the audio. Must resolve to public addresses only.
       */
      audio_url: string;
      file_size?: null;
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
    /** @description One event of `POST /api/v1/transcribe`. `event` determines the schema of `data`. */
    TranscribeStreamEvent:
      | {
          /** @constant */
          event: 'accepted';
          /** @description A value for `Last-Event-ID`. */
          id?: string;
          data: components['schemas']['AcceptedEvent'];
        }
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
        }
      | {
          /** @constant */
          event: 'transcript';
          /** @description A value for `Last-Event-ID`. */
          id?: string;
          data: string;
        };
    /** @description `json`. */
    OpenAiTranscription: {
      /** @description The whole text. */
      text: string;
      /** @description The charged length. */
      usage: {
        /**
         * @description Always `duration`: audio is charged by its length.
         * @constant
         */
        type: 'duration';
        /** @description Started seconds of audio. */
        seconds: number;
      };
    };
    /** @description `verbose_json`. */
    OpenAiVerboseTranscription: {
      /**
       * @description The task.
       * @constant
       */
      task: 'transcribe';
      /** @description English name of the language in lower case; `unknown` if none was detected. */
      language: string;
      /** @description Length of the file in seconds. */
      duration: number;
      /** @description The whole text. */
      text: string;
      /** @description With the granularity `segment`. */
      segments?: {
        /** @description Index in the list, from 0. */
        id: number;
        /** @description `start` in hundredths of a second. */
        seek: number;
        /** @description Seconds from the start of the file. */
        start: number;
        /** @description Seconds from the start of the file. */
        end: number;
        /** @description The text, with the characters between it and the segment before: joined, the texts are `text`. */
        text: string;
        /** @description Always empty. */
        tokens: number[];
        /** @description Always 0. */
        temperature: number;
        /** @description Logarithm of the confidence of the segment, 0 without one. */
        avg_logprob: number;
        /** @description Bytes of the text divided by its compressed bytes. */
        compression_ratio: number;
        /** @description Always 0. */
        no_speech_prob: number;
      }[];
      /** @description With the granularity `word`. */
      words?: {
        /** @description As written in the text. */
        word: string;
        /** @description Seconds from the start of the file. */
        start: number;
        /** @description Seconds from the start of the file. */
        end: number;
      }[];
      /** @description The charged length. */
      usage: {
        /**
         * @description Always `duration`: audio is charged by its length.
         * @constant
         */
        type: 'duration';
        /** @description Started seconds of audio. */
        seconds: number;
      };
    };
    /** @description `diarized_json`. */
    OpenAiDiarizedTranscription: {
      /**
       * @description The task.
       * @constant
       */
      task: 'transcribe';
      /** @description Length of the file in seconds. */
      duration: number;
      /** @description The whole text. */
      text: string;
      /** @description In order. */
      segments: {
        /**
         * @description Type of the object.
         * @constant
         */
        type: 'transcript.text.segment';
        /** @description `seg_` and the index in the list, from 0. */
        id: string;
        /** @description Seconds from the start of the file. */
        start: number;
        /** @description Seconds from the start of the file. */
        end: number;
        /** @description The text of the segment. */
        text: string;
        /** @description `SPEAKER_1`, `SPEAKER_2`, … by first appearance; `unknown` if speakers could not be distinguished. */
        speaker: string;
      }[];
      /** @description The charged length. */
      usage: {
        /**
         * @description Always `duration`: audio is charged by its length.
         * @constant
         */
        type: 'duration';
        /** @description Started seconds of audio. */
        seconds: number;
      };
    };
    /** @description The next piece of the text. */
    OpenAiTextDelta: {
      /**
       * @description Type of the event.
       * @constant
       */
      type: 'transcript.text.delta';
      /** @description With the space before it, if any. The words of the recording, each once; only the text of the last event has the punctuation and corrections that need the whole recording. */
      delta: string;
    };
    /** @description The end of the stream. */
    OpenAiTextDone: {
      /**
       * @description Type of the event.
       * @constant
       */
      type: 'transcript.text.done';
      /** @description The whole text. */
      text: string;
    };
    /** @description The body of every error below `/v1`. */
    OpenAiError: {
      /** @description The error. */
      error: {
        /** @description What happened in this request. */
        message: string;
        /** @description The kind of the error, from which OpenAI’s clients choose the exception type. */
        type: string;
        /** @description The invalid form field. */
        param: string | null;
        /** @description Stable machine-readable code; decide on it. */
        code: string;
      };
    };
    /** @description A model. */
    OpenAiModel: {
      /** @description Its name. */
      id: string;
      /**
       * @description Type of the object.
       * @constant
       */
      object: 'model';
      /** @description Seconds since 1970. */
      created: number;
      /** @description Always `zephyr`. */
      owned_by: string;
    };
    /** @description The models. */
    OpenAiModelList: {
      /**
       * @description Type of the object.
       * @constant
       */
      object: 'list';
      /** @description The models. */
      data: components['schemas']['OpenAiModel'][];
    };
  };
  responses: {
    /** @description The account is out of credit. */
    InsufficientCredits: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'] & {
          /** @constant */
          status?: 402;
          /** @enum {unknown} */
          code?: 'insufficient_credits';
        };
      };
    };
    /** @description The file exceeds the limit of this route. */
    FileTooLarge: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'] & {
          /** @constant */
          status?: 413;
          /** @enum {unknown} */
          code?: 'file_too_large';
        };
      };
    };
    /** @description A request with this idempotency key is in progress. */
    IdempotencyKeyInUse: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'] & {
          /** @constant */
          status?: 409;
          /** @enum {unknown} */
          code?: 'idempotency_key_in_use';
        };
      };
    };
    /** @description The API key is missing, malformed or revoked, or its account is suspended. */
    InvalidApiKey: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'] & {
          /** @constant */
          status?: 401;
          /** @enum {unknown} */
          code?: 'invalid_api_key';
        };
      };
    };
    /** @description The service failed to handle the request. */
    InternalError: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'] & {
          /** @constant */
          status?: 500;
          /** @enum {unknown} */
          code?: 'internal_error';
        };
      };
    };
    /** @description The service is temporarily unavailable. */
    ServiceUnavailable: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'] & {
          /** @constant */
          status?: 503;
          /** @enum {unknown} */
          code?: 'service_unavailable';
        };
      };
    };
    /** @description No such job. */
    JobNotFound: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'] & {
          /** @constant */
          status?: 404;
          /** @enum {unknown} */
          code?: 'job_not_found';
        };
      };
    };
    /** @description A field is missing or invalid. */
    ValidationFailed: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'] & {
          /** @constant */
          status?: 422;
          /** @enum {unknown} */
          code?: 'validation_failed';
        };
      };
    };
    /** @description A query parameter is invalid. */
    InvalidParameter: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'] & {
          /** @constant */
          status?: 400;
          /** @enum {unknown} */
          code?: 'invalid_parameter';
        };
      };
    };
    /** @description Too many requests for this endpoint. */
    RateLimitExceeded: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'RateLimit-Limit': components['headers']['RateLimit-Limit'];
        'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
        'RateLimit-Reset': components['headers']['RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'] & {
          /** @constant */
          status?: 429;
          /** @enum {unknown} */
          code?: 'rate_limit_exceeded';
        };
      };
    };
  };
  parameters: {
    /** @description Your own id for the request, 8 to 64 letters, digits, `_` and `-`. Anything else is replaced. */
    RequestId: string;
  };
  requestBodies: never;
  headers: {
    /** @description The id of the request, as in the log of the service. */
    'X-Request-Id': string;
    /** @description Requests per minute of this key on this route. */
    'RateLimit-Limit': number;
    /** @description Requests that would be admitted now. */
    'RateLimit-Remaining': number;
    /** @description Seconds until another request is admitted. */
    'RateLimit-Reset': number;
    /** @description `true` when this is the response to an earlier request with the same `Idempotency-Key`. */
    'Idempotency-Replayed': 'true';
    /** @description Names of unknown body fields, of query parameters of a route with a JSON body (`query.NAME`), or of unknown query parameters of `POST /transcribe`, that were ignored; also in errors. Absent when nothing was ignored. Percent-encoded, at most 20, then `...`. */
    'X-Ignored-Fields': string;
    /** @description Seconds to wait before a retry. */
    'Retry-After': number;
    /** @description The job that was created. */
    'X-Job-Id': string;
    /** @description `false` when a retry would create and charge another job, or cannot help. OpenAI’s clients respect it. */
    'X-Should-Retry': 'false';
  };
  pathItems: never;
}
export interface operations {
  createUpload: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name that you choose for this request, printable ASCII. For a day, the same request with the same key returns the first response again and creates nothing. */
        'Idempotency-Key'?: string;
        /** @description Your own id for the request, 8 to 64 letters, digits, `_` and `-`. Anything else is replaced. */
        'X-Request-Id'?: components['parameters']['RequestId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateUpload'];
      };
    };
    responses: {
      /** @description The job exists. */
      200: {
        headers: {
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'X-Ignored-Fields': components['headers']['X-Ignored-Fields'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "job_id": "019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10",
           *       "upload_url": "https://storage.example.com/audio/019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10?signature=4f1c",
           *       "download_url": "https://api.example.com/transcripts/019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10?signature=77aa",
           *       "content_type": "application/octet-stream",
           *       "expires_in": 3600
           *     }
           */
          'application/json': components['schemas']['UploadResponse'];
        };
      };
      /** @description The request was understood but cannot be acted on. Reserved: no code of this status exists here yet. */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'X-Ignored-Fields': components['headers']['X-Ignored-Fields'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      401: components['responses']['InvalidApiKey'];
      402: components['responses']['InsufficientCredits'];
      409: components['responses']['IdempotencyKeyInUse'];
      413: components['responses']['FileTooLarge'];
      /** @description A field is missing or invalid. Or: The idempotency key belongs to another request. */
      422: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'] & {
            /** @constant */
            status?: 422;
            /** @enum {unknown} */
            code?: 'validation_failed' | 'idempotency_key_reused';
          };
        };
      };
      /** @description Too many requests for this endpoint. Or: Too many concurrent requests. */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'] & {
            /** @constant */
            status?: 429;
            /** @enum {unknown} */
            code?: 'rate_limit_exceeded' | 'concurrency_limit_exceeded';
          };
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  keepUploadAlive: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your own id for the request, 8 to 64 letters, digits, `_` and `-`. Anything else is replaced. */
        'X-Request-Id'?: components['parameters']['RequestId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "job_id": "019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10"
         *     }
         */
        'application/json': components['schemas']['JobId'];
      };
    };
    responses: {
      /** @description `active` while the upload is pending, then the status of the job. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'X-Ignored-Fields': components['headers']['X-Ignored-Fields'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "active"
           *     }
           */
          'application/json': components['schemas']['StatusResponse'];
        };
      };
      401: components['responses']['InvalidApiKey'];
      404: components['responses']['JobNotFound'];
      422: components['responses']['ValidationFailed'];
      /** @description Too many requests for this endpoint. Or: Too many concurrent requests. */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'] & {
            /** @constant */
            status?: 429;
            /** @enum {unknown} */
            code?: 'rate_limit_exceeded' | 'concurrency_limit_exceeded';
          };
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  completeUpload: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your own id for the request, 8 to 64 letters, digits, `_` and `-`. Anything else is replaced. */
        'X-Request-Id'?: components['parameters']['RequestId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "job_id": "019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10"
         *     }
         */
        'application/json': components['schemas']['JobId'];
      };
    };
    responses: {
      /** @description `queued` the first time, then the status of the job. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'X-Ignored-Fields': components['headers']['X-Ignored-Fields'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "queued"
           *     }
           */
          'application/json': components['schemas']['StatusResponse'];
        };
      };
      /** @description The upload is incomplete. Or: The stored audio is larger than its upload allows. Or: The job was created for another kind of upload. */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'] & {
            /** @constant */
            status?: 400;
            /** @enum {unknown} */
            code?: 'upload_incomplete' | 'upload_too_large' | 'upload_type_mismatch';
          };
        };
      };
      401: components['responses']['InvalidApiKey'];
      404: components['responses']['JobNotFound'];
      422: components['responses']['ValidationFailed'];
      /** @description Too many requests for this endpoint. Or: Too many concurrent requests. */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'] & {
            /** @constant */
            status?: 429;
            /** @enum {unknown} */
            code?: 'rate_limit_exceeded' | 'concurrency_limit_exceeded';
          };
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createMultipartUpload: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name that you choose for this request, printable ASCII. For a day, the same request with the same key returns the first response again and creates nothing. */
        'Idempotency-Key'?: string;
        /** @description Your own id for the request, 8 to 64 letters, digits, `_` and `-`. Anything else is replaced. */
        'X-Request-Id'?: components['parameters']['RequestId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "redact": [
         *         "email",
         *         "phone"
         *       ],
         *       "custom_vocabulary": [
         *         "Zephyr",
         *         "diarization"
         *       ],
         *       "callback_url": "https://app.example.com/hooks/transcripts",
         *       "metadata": {
         *         "file": "interview-17.mp3",
         *         "customer": "4711"
         *       },
         *       "file_size": 1500000000
         *     }
         */
        'application/json': components['schemas']['CreateMultipart'];
      };
    };
    responses: {
      /** @description The job was created and its upload is open. */
      200: {
        headers: {
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'X-Ignored-Fields': components['headers']['X-Ignored-Fields'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "job_id": "019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10",
           *       "upload_id": "2~aXk3",
           *       "download_url": "https://api.example.com/transcripts/019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10?signature=77aa",
           *       "part_size": 16777216,
           *       "num_parts": 90,
           *       "parts": [
           *         {
           *           "part_number": 1,
           *           "url": "https://storage.example.com/audio/019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10?part=1&signature=9be0"
           *         }
           *       ],
           *       "expires_in": 86400
           *     }
           */
          'application/json': components['schemas']['MultipartResponse'];
        };
      };
      /** @description The request was understood but cannot be acted on. Reserved: no code of this status exists here yet. */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'X-Ignored-Fields': components['headers']['X-Ignored-Fields'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      401: components['responses']['InvalidApiKey'];
      402: components['responses']['InsufficientCredits'];
      409: components['responses']['IdempotencyKeyInUse'];
      413: components['responses']['FileTooLarge'];
      /** @description A field is missing or invalid. Or: The idempotency key belongs to another request. */
      422: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'] & {
            /** @constant */
            status?: 422;
            /** @enum {unknown} */
            code?: 'validation_failed' | 'idempotency_key_reused';
          };
        };
      };
      /** @description Too many requests for this endpoint. Or: Too many concurrent requests. */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'] & {
            /** @constant */
            status?: 429;
            /** @enum {unknown} */
            code?: 'rate_limit_exceeded' | 'concurrency_limit_exceeded';
          };
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  completeMultipartUpload: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your own id for the request, 8 to 64 letters, digits, `_` and `-`. Anything else is replaced. */
        'X-Request-Id'?: components['parameters']['RequestId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "job_id": "019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10",
         *       "parts": [
         *         {
         *           "part_number": 1,
         *           "etag": "\"9b2cf535f27731c974343645a3985328\""
         *         }
         *       ]
         *     }
         */
        'application/json': components['schemas']['CompleteMultipart'];
      };
    };
    responses: {
      /** @description `queued` the first time, then the status of the job. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'X-Ignored-Fields': components['headers']['X-Ignored-Fields'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "queued"
           *     }
           */
          'application/json': components['schemas']['StatusResponse'];
        };
      };
      /** @description The list of parts is wrong. Or: The upload is incomplete. Or: The stored audio is larger than its upload allows. Or: The job was created for another kind of upload. */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'] & {
            /** @constant */
            status?: 400;
            /** @enum {unknown} */
            code?: 'invalid_parts' | 'upload_incomplete' | 'upload_too_large' | 'upload_type_mismatch';
          };
        };
      };
      401: components['responses']['InvalidApiKey'];
      404: components['responses']['JobNotFound'];
      422: components['responses']['ValidationFailed'];
      /** @description Too many requests for this endpoint. Or: Too many concurrent requests. */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'] & {
            /** @constant */
            status?: 429;
            /** @enum {unknown} */
            code?: 'rate_limit_exceeded' | 'concurrency_limit_exceeded';
          };
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  abortMultipartUpload: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your own id for the request, 8 to 64 letters, digits, `_` and `-`. Anything else is replaced. */
        'X-Request-Id'?: components['parameters']['RequestId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "job_id": "019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10"
         *     }
         */
        'application/json': components['schemas']['JobId'];
      };
    };
    responses: {
      /** @description `aborted`, also when repeated, or the status of the job when it is too late. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'X-Ignored-Fields': components['headers']['X-Ignored-Fields'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "aborted"
           *     }
           */
          'application/json': components['schemas']['StatusResponse'];
        };
      };
      401: components['responses']['InvalidApiKey'];
      404: components['responses']['JobNotFound'];
      422: components['responses']['ValidationFailed'];
      /** @description Too many requests for this endpoint. Or: Too many concurrent requests. */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'] & {
            /** @constant */
            status?: 429;
            /** @enum {unknown} */
            code?: 'rate_limit_exceeded' | 'concurrency_limit_exceeded';
          };
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  transcribe: {
    parameters: {
      query?: {
        /** @description The only model available. */
        model?: 'zephyr';
        /** @description Format of the stored transcript. */
        output_type?: 'json' | 'txt' | 'srt' | 'vtt' | 'docx' | 'pdf';
        /** @description Start and end of every word. */
        word_timestamps?: boolean;
        /** @description Diarization: speakers are `SPEAKER_1`, `SPEAKER_2`, … by first appearance. A sentence ends where the speaker changes, so without it the rules that punctuate may set other sentence ends, commas and capitals. */
        speaker_labels?: boolean;
        /** @description Alias of `speaker_labels`. Sending both with different values is rejected. */
        diarize?: boolean;
        /** @description Punctuation and sentence segmentation. */
        nltk?: boolean;
        /** @description `false` leaves hesitations such as “um” out of the transcript. */
        filler_words?: boolean;
        /** @description Whether the two channels of a recording are transcribed apart, each with its own speakers: `auto` if each has a speaker of its own, `true` always, `false` never. Costs the same. */
        multichannel?: 'auto' | true | false;
        /** @description How many speakers the recording has, if that is known. */
        num_speakers?: number;
        /** @description The least number of speakers, if that is known. */
        min_speakers?: number;
        /** @description The greatest number of speakers, if that is known. */
        max_speakers?: number;
        /** @description The only tier available. */
        tier?: 'standard';
        /** @description Name of a vocabulary of the account (Settings in the console). Its terms, as they are when the job is created, are added to `custom_vocabulary`; together they are at most 1,000. */
        vocabulary?: string;
        /** @description http or https URL of a webhook that is sent when the job has ended. Must resolve to public addresses only. */
        callback_url?: string;
        /** @description Comma-separated kinds: email, phone, card, iban, ip, url, number. What is replaced by marks such as `[email]` in every format of the transcript. The audio is not changed. */
        redact?: string;
        /** @description Comma-separated terms to bias the recogniser towards. The request line and headers have at most 16 KiB, so about 15,000 percent-encoded characters fit. Send longer lists in the body of `POST /api/v1/upload`. */
        custom_vocabulary?: string;
        /** @description Metadata entries: one `metadata.KEY=value` per entry. Generated clients write `metadata[KEY]=value`, which means the same. */
        metadata?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description A name that you choose for this request, printable ASCII. For a day, the same request with the same key returns the first response again and creates nothing. */
        'Idempotency-Key'?: string;
        /** @description Your own id for the request, 8 to 64 letters, digits, `_` and `-`. Anything else is replaced. */
        'X-Request-Id'?: components['parameters']['RequestId'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description The raw bytes of the audio, with any `audio/…` or `video/…` type, `application/ogg` or `application/mp4`; not a form. Without a type they count as `application/octet-stream`. */
    requestBody: {
      content: {
        'audio/mpeg': string;
        'audio/wav': string;
        'audio/mp4': string;
        'audio/ogg': string;
        'audio/flac': string;
        'video/mp4': string;
        'application/octet-stream': string;
        'audio/*': string;
        'video/*': string;
      };
    };
    responses: {
      /** @description The job was created. Its events follow, then the transcript. */
      200: {
        headers: {
          'X-Job-Id': components['headers']['X-Job-Id'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          'X-Ignored-Fields': components['headers']['X-Ignored-Fields'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example event: accepted
           *     id: 0
           *     data: {"job_id":"019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10","download_url":"https://api.example.com/transcripts/019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10?signature=77aa"}
           *
           *     event: waiting
           *     id: 0
           *     data: {"position":3,"eta_seconds":12}
           *
           *     event: progress
           *     id: 1
           *     data: {"completed":2,"total":5,"step":"chunk:0"}
           *
           *     event: completed
           *     id: 2
           *     data: {"job_id":"019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10","download_url":"https://api.example.com/transcripts/019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10?signature=77aa","output_type":"txt"}
           *
           *     event: failed
           *     id: 2
           *     data: {"step":"preprocess","reason":"The file holds no audio that can be decoded."}
           *
           *     event: transcript
           *     id: 2
           *     data: SPEAKER_1: Good morning.
           *     data: SPEAKER_2: Good morning to you.
           */
          'text/event-stream':
            | components['schemas']['AcceptedEvent']
            | components['schemas']['WaitingEvent']
            | components['schemas']['ProgressEvent']
            | components['schemas']['CompletedEvent']
            | components['schemas']['FailedEvent']
            | string;
        };
      };
      401: components['responses']['InvalidApiKey'];
      402: components['responses']['InsufficientCredits'];
      409: components['responses']['IdempotencyKeyInUse'];
      413: components['responses']['FileTooLarge'];
      /** @description A field is missing or invalid. Or: The idempotency key belongs to another request. */
      422: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'] & {
            /** @constant */
            status?: 422;
            /** @enum {unknown} */
            code?: 'validation_failed' | 'idempotency_key_reused';
          };
        };
      };
      /** @description Too many requests for this endpoint. Or: Too many concurrent requests. */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'] & {
            /** @constant */
            status?: 429;
            /** @enum {unknown} */
            code?: 'rate_limit_exceeded' | 'concurrency_limit_exceeded';
          };
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
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
    responses: {
      /** @description One page of jobs. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "jobs": [
           *         {
           *           "job_id": "019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10",
           *           "created_at": "2026-11-20T09:30:00.123456Z"
           *         }
           *       ],
           *       "next_before": "2026-11-20T09:30:00.123456Z"
           *     }
           */
          'application/json': components['schemas']['JobListResponse'];
        };
      };
      400: components['responses']['InvalidParameter'];
      401: components['responses']['InvalidApiKey'];
      429: components['responses']['RateLimitExceeded'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getJob: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your own id for the request, 8 to 64 letters, digits, `_` and `-`. Anything else is replaced. */
        'X-Request-Id'?: components['parameters']['RequestId'];
      };
      path: {
        /** @description The job. */
        job_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The job. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "job_id": "019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10",
           *       "status": "completed",
           *       "download_url": "https://api.example.com/transcripts/019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10?signature=77aa",
           *       "failed_stage": null,
           *       "reason": null,
           *       "created_at": "2026-11-20T09:30:00.123456Z",
           *       "completed_at": "2026-11-20T09:30:07.001250Z",
           *       "output_type": "json",
           *       "duration_seconds": 61.44,
           *       "metadata": {
           *         "file": "interview-17.mp3",
           *         "customer": "4711"
           *       }
           *     }
           */
          'application/json': components['schemas']['JobResponse'];
        };
      };
      401: components['responses']['InvalidApiKey'];
      404: components['responses']['JobNotFound'];
      429: components['responses']['RateLimitExceeded'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  deleteJob: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your own id for the request, 8 to 64 letters, digits, `_` and `-`. Anything else is replaced. */
        'X-Request-Id'?: components['parameters']['RequestId'];
      };
      path: {
        /** @description The job. */
        job_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The job is deleted. */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      401: components['responses']['InvalidApiKey'];
      404: components['responses']['JobNotFound'];
      429: components['responses']['RateLimitExceeded'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  cancelJob: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your own id for the request, 8 to 64 letters, digits, `_` and `-`. Anything else is replaced. */
        'X-Request-Id'?: components['parameters']['RequestId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "job_id": "019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10"
         *     }
         */
        'application/json': components['schemas']['JobId'];
      };
    };
    responses: {
      /** @description `cancelled` the first time, or the status of the job when there is nothing to cancel. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'X-Ignored-Fields': components['headers']['X-Ignored-Fields'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "cancelled"
           *     }
           */
          'application/json': components['schemas']['StatusResponse'];
        };
      };
      401: components['responses']['InvalidApiKey'];
      404: components['responses']['JobNotFound'];
      422: components['responses']['ValidationFailed'];
      /** @description Too many requests for this endpoint. Or: Too many concurrent requests. */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'] & {
            /** @constant */
            status?: 429;
            /** @enum {unknown} */
            code?: 'rate_limit_exceeded' | 'concurrency_limit_exceeded';
          };
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  checkFailed: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your own id for the request, 8 to 64 letters, digits, `_` and `-`. Anything else is replaced. */
        'X-Request-Id'?: components['parameters']['RequestId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "job_ids": [
         *         "019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10",
         *         "019a9f5e-9d02-7a41-8c55-20c4e1f7b3aa"
         *       ]
         *     }
         */
        'application/json': components['schemas']['CheckFailed'];
      };
    };
    responses: {
      /** @description One boolean per id, in the same order. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'X-Ignored-Fields': components['headers']['X-Ignored-Fields'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "failed_jobs": [
           *         false,
           *         true
           *       ]
           *     }
           */
          'application/json': components['schemas']['CheckFailedResponse'];
        };
      };
      401: components['responses']['InvalidApiKey'];
      422: components['responses']['ValidationFailed'];
      /** @description Too many requests for this endpoint. Or: Too many concurrent requests. */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'] & {
            /** @constant */
            status?: 429;
            /** @enum {unknown} */
            code?: 'rate_limit_exceeded' | 'concurrency_limit_exceeded';
          };
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  nameSpeakers: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your own id for the request, 8 to 64 letters, digits, `_` and `-`. Anything else is replaced. */
        'X-Request-Id'?: components['parameters']['RequestId'];
      };
      path: {
        /** @description The job. */
        job_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "speakers": {
         *         "SPEAKER_1": "Ada",
         *         "SPEAKER_2": null
         *       }
         *     }
         */
        'application/json': components['schemas']['NameSpeakers'];
      };
    };
    responses: {
      /** @description All labels with their names. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'X-Ignored-Fields': components['headers']['X-Ignored-Fields'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "job_id": "019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10",
           *       "speakers": {
           *         "SPEAKER_1": "Ada",
           *         "SPEAKER_2": null
           *       }
           *     }
           */
          'application/json': components['schemas']['SpeakersResponse'];
        };
      };
      /** @description The job has no transcript yet. Or: The job failed. Or: The job was cancelled. Or: The transcript was deleted. Or: The transcript is too large to be rendered again. */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'] & {
            /** @constant */
            status?: 400;
            /** @enum {unknown} */
            code?:
              | 'transcript_not_ready'
              | 'job_failed'
              | 'job_cancelled'
              | 'transcript_deleted'
              | 'transcript_too_large';
          };
        };
      };
      401: components['responses']['InvalidApiKey'];
      404: components['responses']['JobNotFound'];
      422: components['responses']['ValidationFailed'];
      /** @description Too many requests for this endpoint. Or: Too many concurrent requests. */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'] & {
            /** @constant */
            status?: 429;
            /** @enum {unknown} */
            code?: 'rate_limit_exceeded' | 'concurrency_limit_exceeded';
          };
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  streamJob: {
    parameters: {
      query?: never;
      header?: {
        /** @description The id of the last event that you saw: the stream continues after it. For the id of the final event, that event is sent once more. An unknown id starts from the beginning. */
        'Last-Event-ID'?: string;
        /** @description Your own id for the request, 8 to 64 letters, digits, `_` and `-`. Anything else is replaced. */
        'X-Request-Id'?: components['parameters']['RequestId'];
      };
      path: {
        /** @description The job. */
        job_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The events of the job until it has ended. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example event: waiting
           *     id: 0
           *     data: {"position":3,"eta_seconds":12}
           *
           *     event: progress
           *     id: 1
           *     data: {"completed":2,"total":5,"step":"chunk:0"}
           *
           *     event: completed
           *     id: 2
           *     data: {"job_id":"019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10","download_url":"https://api.example.com/transcripts/019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10?signature=77aa","output_type":"txt"}
           *
           *     event: failed
           *     id: 2
           *     data: {"step":"preprocess","reason":"The file holds no audio that can be decoded."}
           */
          'text/event-stream':
            | components['schemas']['WaitingEvent']
            | components['schemas']['ProgressEvent']
            | components['schemas']['CompletedEvent']
            | components['schemas']['FailedEvent'];
        };
      };
      401: components['responses']['InvalidApiKey'];
      404: components['responses']['JobNotFound'];
      /** @description Too many concurrent requests. Or: Too many requests for this endpoint. */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          'Retry-After': components['headers']['Retry-After'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'] & {
            /** @constant */
            status?: 429;
            /** @enum {unknown} */
            code?: 'concurrency_limit_exceeded' | 'rate_limit_exceeded';
          };
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getTranscript: {
    parameters: {
      query?: {
        /** @description The format. Default: the `output_type` of the job. */
        format?: 'json' | 'txt' | 'srt' | 'vtt' | 'docx' | 'pdf';
        /** @description Columns of a caption line in srt and vtt; wide characters take two. */
        max_line_chars?: number;
        /** @description Lines of a caption in srt and vtt. */
        max_lines?: number;
      };
      header?: {
        /** @description Your own id for the request, 8 to 64 letters, digits, `_` and `-`. Anything else is replaced. */
        'X-Request-Id'?: components['parameters']['RequestId'];
      };
      path: {
        /** @description The job. */
        job_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The file. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "job_id": "019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10",
           *       "schema_version": "1.1",
           *       "created_at": "2026-11-20T09:30:00.123Z",
           *       "model": "zephyr",
           *       "engine": {
           *         "name": "pocketsphinx",
           *         "model": "en-us",
           *         "version": null
           *       },
           *       "duration": 1.4,
           *       "language": "en",
           *       "languages": [
           *         "en"
           *       ],
           *       "confidence": 0.9,
           *       "text": "Good morning.",
           *       "speakers": [
           *         {
           *           "id": "SPEAKER_1",
           *           "name": "Ada",
           *           "duration": 0.9,
           *           "channel": null
           *         }
           *       ],
           *       "segments": [
           *         {
           *           "id": 0,
           *           "start": 0.2,
           *           "end": 1.1,
           *           "text": "Good morning.",
           *           "language": "en",
           *           "speaker": "SPEAKER_1",
           *           "channel": null,
           *           "confidence": 0.9,
           *           "words": null
           *         }
           *       ],
           *       "turns": [
           *         {
           *           "start": 0.2,
           *           "end": 1.1,
           *           "text": "Good morning.",
           *           "speaker": "SPEAKER_1",
           *           "first_segment": 0,
           *           "last_segment": 0
           *         }
           *       ],
           *       "paragraphs": [
           *         {
           *           "start": 0.2,
           *           "end": 1.1,
           *           "text": "Good morning.",
           *           "speaker": "SPEAKER_1",
           *           "first_segment": 0,
           *           "last_segment": 0,
           *           "language": "en"
           *         }
           *       ],
           *       "warnings": [],
           *       "options": {
           *         "model": "zephyr",
           *         "output_type": "json",
           *         "word_timestamps": true,
           *         "speaker_labels": true,
           *         "nltk": true,
           *         "filler_words": true,
           *         "redact": null,
           *         "multichannel": "auto",
           *         "num_speakers": null,
           *         "min_speakers": null,
           *         "max_speakers": null,
           *         "tier": "standard",
           *         "custom_vocabulary": null,
           *         "callback_url": null
           *       },
           *       "usage": {
           *         "seconds": 1.4,
           *         "credits": 2
           *       }
           *     }
           */
          'application/json': components['schemas']['TranscriptDocument'];
          'text/plain': string;
          'application/x-subrip': string;
          'text/vtt': string;
          'application/vnd.openxmlformats-officedocument.wordprocessingml.document': string;
          'application/pdf': string;
        };
      };
      /** @description A query parameter is invalid. Or: The job has no transcript yet. Or: The job failed. Or: The job was cancelled. Or: The transcript was deleted. Or: The transcript is too large to be rendered again. */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'] & {
            /** @constant */
            status?: 400;
            /** @enum {unknown} */
            code?:
              | 'invalid_parameter'
              | 'transcript_not_ready'
              | 'job_failed'
              | 'job_cancelled'
              | 'transcript_deleted'
              | 'transcript_too_large';
          };
        };
      };
      401: components['responses']['InvalidApiKey'];
      404: components['responses']['JobNotFound'];
      429: components['responses']['RateLimitExceeded'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getAccount: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your own id for the request, 8 to 64 letters, digits, `_` and `-`. Anything else is replaced. */
        'X-Request-Id'?: components['parameters']['RequestId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The account and the key. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "account_id": "019a9f00-3b52-7d18-a6c4-0e9d4b71c2f5",
           *       "name": "Example Media",
           *       "api_key": {
           *         "id": "k7Qm2vXw9a",
           *         "name": "production"
           *       },
           *       "credits": {
           *         "balance": 35900,
           *         "held": 120,
           *         "per_second": 1
           *       },
           *       "max_bytes": {
           *         "upload": 5368709120,
           *         "multipart": 10737418240,
           *         "transcribe": 200000000
           *       },
           *       "rate_limits": {
           *         "account": 120,
           *         "upload": 120,
           *         "upload.progress": 600,
           *         "upload.complete": 120,
           *         "multipart.create": 120,
           *         "multipart.complete": 120,
           *         "multipart.abort": 120,
           *         "transcribe": 120,
           *         "jobs.list": 120,
           *         "jobs.get": 120,
           *         "jobs.stream": 120,
           *         "jobs.transcript": 120,
           *         "jobs.speakers": 120,
           *         "jobs.check-failed": 60,
           *         "jobs.cancel": 30,
           *         "jobs.delete": 60
           *       },
           *       "today": {
           *         "since": "2026-11-20T00:00:00Z",
           *         "jobs_created": 42,
           *         "jobs_completed": 40,
           *         "jobs_failed": 1,
           *         "audio_seconds": 2412.5,
           *         "credits_charged": 2431
           *       }
           *     }
           */
          'application/json': components['schemas']['AccountResponse'];
        };
      };
      401: components['responses']['InvalidApiKey'];
      429: components['responses']['RateLimitExceeded'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createTranscription: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your own id for the request, 8 to 64 letters, digits, `_` and `-`. Anything else is replaced. */
        'X-Request-Id'?: components['parameters']['RequestId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /**
           * Format: binary
           * @description The audio or video file. The format is detected from the bytes.
           */
          file: string;
          /**
           * @description Any name is accepted and served by `zephyr`: tools send the one they were written for.
           * @example whisper-1
           */
          model: string;
          /**
           * @description Format of the response.
           * @default json
           * @enum {string}
           */
          response_format?: 'json' | 'text' | 'srt' | 'verbose_json' | 'vtt' | 'diarized_json';
          /**
           * @description The lists of a `verbose_json`. May be sent twice, and without the brackets.
           * @default [
           *       "segment"
           *     ]
           */
          'timestamp_granularities[]'?: ('word' | 'segment')[];
          /**
           * @description `true`, with `json` and `text` only: the response starts at once as events. The text of each part is sent when it is transcribed, and the whole text at the end.
           * @default false
           */
          stream?: boolean;
          /**
           * @description A list of names, separated by commas or line breaks, becomes `custom_vocabulary`. Running text is ignored.
           * @example Zephyr, diarization
           */
          prompt?: string;
          /**
           * @description Comma-separated terms to bias the recogniser towards, at most 1000 of at most 100 characters. Takes precedence over `prompt`.
           * @example Zephyr, diarization
           */
          custom_vocabulary?: string;
          /** @description Name of a vocabulary of the account (Settings in the console). Its terms, as they are when the job is created, are added to `custom_vocabulary`; together they are at most 1,000. */
          vocabulary?: string;
          /** @description Diarization. Default: `true` with `diarized_json` or a number of speakers, otherwise `false`. Changes sentence ends, as in a create. */
          speaker_labels?: boolean;
          /**
           * @description Punctuation and sentence segmentation.
           * @default true
           */
          nltk?: boolean;
          /**
           * @description `false` leaves hesitations such as “um” out of the transcript.
           * @default true
           */
          filler_words?: boolean;
          /**
           * @description Comma-separated kinds: email, phone, card, iban, ip, url, number. What is replaced by marks such as `[email]` in every format of the transcript. The audio is not changed.
           * @example email,phone
           */
          redact?: string;
          /**
           * @description Whether the two channels of a recording are transcribed apart, each with its own speakers: `auto` if each has a speaker of its own, `true` always, `false` never. Costs the same.
           * @default auto
           * @enum {unknown}
           */
          multichannel?: 'auto' | true | false;
          /** @description How many speakers the recording has, if that is known. */
          num_speakers?: number;
          /** @description The least number of speakers, if that is known. */
          min_speakers?: number;
          /** @description The greatest number of speakers, if that is known. */
          max_speakers?: number;
          /** @description A metadata entry of the job under your own `KEY`. `extra_body={"metadata": {…}}` in OpenAI’s clients. */
          'metadata[KEY]'?: string;
          /** @description Ignored: the language is always detected. */
          language?: string;
          /** @description Ignored. */
          temperature?: number;
        };
      };
    };
    responses: {
      /** @description The transcript in the requested format. */
      200: {
        headers: {
          'X-Job-Id': components['headers']['X-Job-Id'];
          'X-Should-Retry': components['headers']['X-Should-Retry'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | components['schemas']['OpenAiTranscription']
            | components['schemas']['OpenAiVerboseTranscription']
            | components['schemas']['OpenAiDiarizedTranscription'];
          /** @example Good morning. And to you. */
          'text/plain': string;
          /**
           * @example 1
           *     00:00:00,500 --> 00:00:01,900
           *     SPEAKER_1: Good morning.
           *
           *     2
           *     00:00:02,000 --> 00:00:03,900
           *     SPEAKER_2: And to you.
           */
          'application/x-subrip': string;
          /**
           * @example WEBVTT
           *
           *     1
           *     00:00:00.500 --> 00:00:01.900
           *     <v SPEAKER_1>Good morning.</v>
           *
           *     2
           *     00:00:02.000 --> 00:00:03.900
           *     <v SPEAKER_2>And to you.</v>
           */
          'text/vtt': string;
          /**
           * @example : accepted
           *
           *     : heartbeat
           *
           *     data: {"type":"transcript.text.delta","delta":"Good morning."}
           *
           *     data: {"type":"transcript.text.delta","delta":" And to you."}
           *
           *     data: {"type":"transcript.text.done","text":"Good morning. And to you."}
           */
          'text/event-stream': string;
        };
      };
      /** @description A field is missing or invalid. Or: The audio cannot be transcribed. */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          /** @description The job that was created. */
          'X-Job-Id'?: string;
          /** @description `false` when a retry would create and charge another job, or cannot help. OpenAI’s clients respect it. */
          'X-Should-Retry'?: 'false';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'] & {
            error?: {
              /** @enum {unknown} */
              type?: 'invalid_request_error';
              /** @enum {unknown} */
              code?: 'validation_failed' | 'unprocessable_audio';
            };
          };
        };
      };
      /** @description The API key is missing, malformed or revoked, or its account is suspended. */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          /** @description The job that was created. */
          'X-Job-Id'?: string;
          /** @description `false` when a retry would create and charge another job, or cannot help. OpenAI’s clients respect it. */
          'X-Should-Retry'?: 'false';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'] & {
            error?: {
              /** @enum {unknown} */
              type?: 'invalid_request_error';
              /** @enum {unknown} */
              code?: 'invalid_api_key';
            };
          };
        };
      };
      /** @description The job was cancelled. */
      409: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          /** @description The job that was created. */
          'X-Job-Id'?: string;
          /** @description `false` when a retry would create and charge another job, or cannot help. OpenAI’s clients respect it. */
          'X-Should-Retry'?: 'false';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'] & {
            error?: {
              /** @enum {unknown} */
              type?: 'invalid_request_error';
              /** @enum {unknown} */
              code?: 'job_cancelled';
            };
          };
        };
      };
      /** @description The file exceeds the limit of this route. */
      413: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          /** @description The job that was created. */
          'X-Job-Id'?: string;
          /** @description `false` when a retry would create and charge another job, or cannot help. OpenAI’s clients respect it. */
          'X-Should-Retry'?: 'false';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'] & {
            error?: {
              /** @enum {unknown} */
              type?: 'invalid_request_error';
              /** @enum {unknown} */
              code?: 'file_too_large';
            };
          };
        };
      };
      /** @description The account is out of credit. Or: Too many requests for this endpoint. Or: Too many concurrent requests. */
      429: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          /** @description Seconds to wait before a retry. */
          'Retry-After'?: number;
          /** @description The job that was created. */
          'X-Job-Id'?: string;
          /** @description `false` when a retry would create and charge another job, or cannot help. OpenAI’s clients respect it. */
          'X-Should-Retry'?: 'false';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'] & {
            error?: {
              /** @enum {unknown} */
              type?: 'insufficient_quota' | 'requests';
              /** @enum {unknown} */
              code?: 'insufficient_quota' | 'rate_limit_exceeded' | 'concurrency_limit_exceeded';
            };
          };
        };
      };
      /** @description The job failed. Or: The service failed to handle the request. */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          /** @description The job that was created. */
          'X-Job-Id'?: string;
          /** @description `false` when a retry would create and charge another job, or cannot help. OpenAI’s clients respect it. */
          'X-Should-Retry'?: 'false';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'] & {
            error?: {
              /** @enum {unknown} */
              type?: 'server_error';
              /** @enum {unknown} */
              code?: 'job_failed' | 'internal_error';
            };
          };
        };
      };
      /** @description The service is temporarily unavailable. */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Limit': components['headers']['RateLimit-Limit'];
          'RateLimit-Remaining': components['headers']['RateLimit-Remaining'];
          'RateLimit-Reset': components['headers']['RateLimit-Reset'];
          /** @description Seconds to wait before a retry. */
          'Retry-After'?: number;
          /** @description The job that was created. */
          'X-Job-Id'?: string;
          /** @description `false` when a retry would create and charge another job, or cannot help. OpenAI’s clients respect it. */
          'X-Should-Retry'?: 'false';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'] & {
            error?: {
              /** @enum {unknown} */
              type?: 'server_error';
              /** @enum {unknown} */
              code?: 'service_unavailable';
            };
          };
        };
      };
    };
  };
  listModels: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your own id for the request, 8 to 64 letters, digits, `_` and `-`. Anything else is replaced. */
        'X-Request-Id'?: components['parameters']['RequestId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The models. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "object": "list",
           *       "data": [
           *         {
           *           "id": "zephyr",
           *           "object": "model",
           *           "created": 1763596800,
           *           "owned_by": "zephyr"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['OpenAiModelList'];
        };
      };
      /** @description The API key is missing, malformed or revoked, or its account is suspended. */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'] & {
            error?: {
              /** @enum {unknown} */
              type?: 'invalid_request_error';
              /** @enum {unknown} */
              code?: 'invalid_api_key';
            };
          };
        };
      };
      /** @description The service failed to handle the request. */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'] & {
            error?: {
              /** @enum {unknown} */
              type?: 'server_error';
              /** @enum {unknown} */
              code?: 'internal_error';
            };
          };
        };
      };
      /** @description The service is temporarily unavailable. */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          /** @description Seconds to wait before a retry. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'] & {
            error?: {
              /** @enum {unknown} */
              type?: 'server_error';
              /** @enum {unknown} */
              code?: 'service_unavailable';
            };
          };
        };
      };
    };
  };
  getModel: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your own id for the request, 8 to 64 letters, digits, `_` and `-`. Anything else is replaced. */
        'X-Request-Id'?: components['parameters']['RequestId'];
      };
      path: {
        /** @description Its name. */
        model: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The model under the requested name. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "whisper-1",
           *       "object": "model",
           *       "created": 1763596800,
           *       "owned_by": "zephyr"
           *     }
           */
          'application/json': components['schemas']['OpenAiModel'];
        };
      };
      /** @description The API key is missing, malformed or revoked, or its account is suspended. */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'] & {
            error?: {
              /** @enum {unknown} */
              type?: 'invalid_request_error';
              /** @enum {unknown} */
              code?: 'invalid_api_key';
            };
          };
        };
      };
      /** @description No such model. Or: There is no such route. */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'] & {
            error?: {
              /** @enum {unknown} */
              type?: 'invalid_request_error';
              /** @enum {unknown} */
              code?: 'model_not_found' | 'unknown_url';
            };
          };
        };
      };
      /** @description The service failed to handle the request. */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'] & {
            error?: {
              /** @enum {unknown} */
              type?: 'server_error';
              /** @enum {unknown} */
              code?: 'internal_error';
            };
          };
        };
      };
      /** @description The service is temporarily unavailable. */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          /** @description Seconds to wait before a retry. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAiError'] & {
            error?: {
              /** @enum {unknown} */
              type?: 'server_error';
              /** @enum {unknown} */
              code?: 'service_unavailable';
            };
          };
        };
      };
    };
  };
  healthLive: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It runs. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "ok"
           *     }
           */
          'application/json': {
            /** @enum {string} */
            status: 'ok';
          };
        };
      };
    };
  };
  healthReady: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is ready. With the queue or the object store down its status is `degraded`. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /**
             * @description `degraded`: ready, but a dependency that not every request needs is down, or the database schema is of another version.
             * @enum {string}
             */
            status: 'ok' | 'degraded' | 'error';
            /** @description Dependencies that are up or degraded. */
            info?: {
              [key: string]: {
                /** @enum {string} */
                status: 'up' | 'degraded' | 'down';
                /** @description Present unless the status is `up`. */
                message?: string;
              };
            };
            /** @description Dependencies that are down and without which the process is not ready. */
            error?: {
              [key: string]: {
                /** @enum {string} */
                status: 'up' | 'degraded' | 'down';
                /** @description Present unless the status is `up`. */
                message?: string;
              };
            };
            /** @description By name: `database`, `queue`, `storage`; `schema` if the database schema is of another version than this process. */
            details: {
              [key: string]: {
                /** @enum {string} */
                status: 'up' | 'degraded' | 'down';
                /** @description Present unless the status is `up`. */
                message?: string;
              };
            };
          };
        };
      };
      /** @description Postgres is down, or the process is being stopped. */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "error",
           *       "info": {
           *         "queue": {
           *           "status": "up"
           *         },
           *         "storage": {
           *           "status": "up"
           *         }
           *       },
           *       "error": {
           *         "database": {
           *           "status": "down",
           *           "message": "does not answer"
           *         }
           *       },
           *       "details": {
           *         "database": {
           *           "status": "down",
           *           "message": "does not answer"
           *         },
           *         "queue": {
           *           "status": "up"
           *         },
           *         "storage": {
           *           "status": "up"
           *         }
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description `degraded`: ready, but a dependency that not every request needs is down, or the database schema is of another version.
             * @enum {string}
             */
            status: 'ok' | 'degraded' | 'error';
            /** @description Dependencies that are up or degraded. */
            info?: {
              [key: string]: {
                /** @enum {string} */
                status: 'up' | 'degraded' | 'down';
                /** @description Present unless the status is `up`. */
                message?: string;
              };
            };
            /** @description Dependencies that are down and without which the process is not ready. */
            error?: {
              [key: string]: {
                /** @enum {string} */
                status: 'up' | 'degraded' | 'down';
                /** @description Present unless the status is `up`. */
                message?: string;
              };
            };
            /** @description By name: `database`, `queue`, `storage`; `schema` if the database schema is of another version than this process. */
            details: {
              [key: string]: {
                /** @enum {string} */
                status: 'up' | 'degraded' | 'down';
                /** @description Present unless the status is `up`. */
                message?: string;
              };
            };
          };
        };
      };
    };
  };
  openapi: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The document. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "openapi": "3.1.0"
           *     }
           */
          'application/json': Record<string, never>;
        };
      };
    };
  };
  transcriptSchema: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The schema, of 2020-12. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "title": "Transcript"
           *     }
           */
          'application/json': Record<string, never>;
        };
      };
    };
  };
  jobEnded: {
    parameters: {
      query?: never;
      header: {
        /** @description `sha256=` and the HMAC-SHA256 of the raw body in hex. */
        'X-SVC-Signature': string;
        /** @description The same under the previous secret, during the overlap of a rotation. */
        'X-SVC-Signature-Previous'?: string;
        /** @description `completed` or `failed`, as `status` in the body. */
        'X-SVC-Event': string;
        /** @description Id of the delivery, the same for every attempt. */
        'X-SVC-Delivery': string;
        /** @description The sender. */
        'User-Agent': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['JobNotification'];
      };
    };
    responses: {
      /** @description Acknowledged. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Final: not retried. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Retried, four attempts in all. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
