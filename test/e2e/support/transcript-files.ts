import JSZip from 'jszip';
import { extractText } from 'unpdf';
import type { Client } from './client.js';

export const FORMATS = ['json', 'txt', 'srt', 'vtt', 'docx', 'pdf'] as const;
export type Format = (typeof FORMATS)[number];

export interface TranscriptFile {
  status: number;
  headers: Headers;
  bytes: Buffer<ArrayBuffer>;
}

/** The transcript of a job in the format; by default in the job's format. */
export async function downloadTranscript(
  caller: Client,
  jobId: string,
  format?: string,
): Promise<TranscriptFile> {
  const query = format === undefined ? '' : `?format=${format}`;
  const url = `${caller.baseUrl}/api/v1/jobs/${jobId}/transcript${query}`;
  return toTranscriptFile(await fetch(url, { headers: { 'X-API-Key': caller.apiKey ?? '' } }));
}

export async function downloadFile(url: string): Promise<TranscriptFile> {
  return toTranscriptFile(await fetch(url));
}

/** The visible content of a file in this format; for JSON its sentences and speakers. */
export async function extractVisibleText(format: Format, bytes: Buffer<ArrayBuffer>): Promise<string> {
  if (format === 'docx') return docxText(bytes);
  if (format === 'pdf') return (await extractText(new Uint8Array(bytes), { mergePages: true })).text;
  if (format !== 'json') return bytes.toString('utf8');
  const { segments, speakers } = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
  return JSON.stringify({ segments, speakers });
}

async function docxText(bytes: Buffer<ArrayBuffer>): Promise<string> {
  const archive = await JSZip.loadAsync(bytes);
  const body = (await archive.file('word/document.xml')?.async('string')) ?? '';
  const text = body.replaceAll('</w:p>', '\n').replaceAll(/<[^>]*>/g, '');
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

async function toTranscriptFile(response: Response): Promise<TranscriptFile> {
  const { status, headers } = response;
  return { status, headers, bytes: Buffer.from(await response.arrayBuffer()) };
}
