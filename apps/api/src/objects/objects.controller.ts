import { Readable } from 'node:stream';
import { Controller, Get, Head, Inject, Optional, Options, Put, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { SkipApiKeyGuard } from '@app/auth';
import { createInvalidFieldError, ServiceError } from '@app/errors';
import {
  attachmentHeader,
  type ByteRange,
  FileObjectStore,
  type SignedUrlGrant,
  OBJECT_STORE_TOKEN,
  OBJECTS_URL_PATH,
  type ObjectInfo,
  ObjectNotFoundError,
  type ObjectStore,
} from '@app/storage';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesIfNoneMatch } from './matches-if-none-match.js';
import { parseByteRange } from './parse-byte-range.js';
import { setCorsHeaders, sendPreflightResponse } from './cors.js';
import { parseContentLength } from '../request-body/parse-content-length.js';
import { assertIdentityContentEncoding } from '../request-body/assert-identity-content-encoding.js';
import { BodyTooLargeError, limitBody, type MinTransferRate } from '../request-body/limit-body.js';
import { FreeDiskSpaceCheck } from '../admission/free-disk-space-check.js';
import { RequestConcurrencyLimiters } from '../admission/request-concurrency-limiters.js';
import { joinTraceOfJob } from '../jobs/job-of-request.js';
import { ObjectErrorFilter } from './object-error.filter.js';
import { UploadStillPendingCheck } from './upload-still-pending-check.js';

const MAX_SHOWN_TYPE_LENGTH = 100;

export const OBJECT_ROUTE_OPTIONS_TOKEN = Symbol('OBJECT_ROUTE_OPTIONS_TOKEN');

export interface ObjectRouteOptions {
  /** Origins whose pages may PUT and GET; `*` for all. */
  corsOrigins: readonly string[];
  minTransferRate: MinTransferRate;
}

/** Serves the signed URLs of the file store; with another store every request is a 404. */
@SkipApiKeyGuard()
@ApiExcludeController()
@Controller('objects')
@UseFilters(ObjectErrorFilter)
export class ObjectsController {
  constructor(
    @Inject(OBJECT_STORE_TOKEN) private readonly store: ObjectStore,
    @Inject(OBJECT_ROUTE_OPTIONS_TOKEN) private readonly options: ObjectRouteOptions,
    private readonly admission: RequestConcurrencyLimiters,
    @Optional() private readonly pendingUploads?: UploadStillPendingCheck,
    @Optional() private readonly diskReserve?: FreeDiskSpaceCheck,
  ) {}

  @Put('*')
  async put(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    setCorsHeaders(request, reply, this.options.corsOrigins);
    const grant = this.verify('PUT', request);
    assertIdentityContentEncoding(request.headers);
    if (request.headers['content-range'] !== undefined)
      throw createInvalidFieldError('Content-Range', 'is not supported: send the whole body');
    const job = await this.pendingUploads?.findJob(grant.key);
    if (job) joinTraceOfJob(job);
    const owner = job?.accountId ?? grant.key;
    const etag = await this.admission.bodies.run(owner, () => this.storeBody(grant, request));
    reply.header('etag', `"${etag}"`).code(200).send();
  }

  @Head('*')
  async head(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    setCorsHeaders(request, reply, this.options.corsOrigins);
    const grant = this.verify('GET', request);
    const info = await this.fileStore().head(grant.key);
    if (info === null) throw new ObjectNotFoundError(grant.key);
    setObjectHeaders(reply, info, grant);
    if (matchesIfNoneMatch(request.headers, info)) reply.code(304).send();
    else reply.header('content-length', info.size).code(200).send();
  }

  @Get('*')
  async get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    setCorsHeaders(request, reply, this.options.corsOrigins);
    const grant = this.verify('GET', request);
    const known = request.headers['if-none-match'] && (await this.fileStore().head(grant.key));
    if (known && matchesIfNoneMatch(request.headers, known)) {
      setObjectHeaders(reply, known, grant).code(304).send();
      return;
    }
    let range: ByteRange | undefined;
    const object = await this.fileStore().openObject(
      grant.key,
      (info) => (range = parseByteRange(request.headers, info)),
    );
    if (object === null) throw new ObjectNotFoundError(grant.key);
    const { info, bytes } = object;
    setObjectHeaders(reply, info, grant);
    if (range === undefined) {
      reply.code(200).header('content-length', info.size);
    } else {
      const end = range.end ?? info.size - 1;
      reply.code(206).header('content-length', end - range.start + 1);
      reply.header('content-range', `bytes ${range.start}-${end}/${info.size}`);
    }
    reply.send(bytes);
  }

  @Options('*')
  preflight(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendPreflightResponse(request, reply, this.options.corsOrigins);
  }

  private fileStore(): FileObjectStore {
    if (!(this.store instanceof FileObjectStore)) throw new ServiceError('not_found');
    return this.store;
  }

  /** Verifies the request line as it was sent, before decoding. */
  private verify(method: 'GET' | 'PUT', request: FastifyRequest): SignedUrlGrant {
    const [path = '', ...query] = (request.raw.url ?? '').split('?');
    const key = path.startsWith(OBJECTS_URL_PATH) ? path.slice(OBJECTS_URL_PATH.length) : '';
    return this.fileStore().signer.verify(method, key, new URLSearchParams(query.join('?')));
  }

  private async storeBody(grant: SignedUrlGrant, request: FastifyRequest): Promise<string> {
    const { key, contentType, maxBytes = 0, uploadId, partNumber } = grant;
    const length = parseContentLength(request.raw.headers);
    if (length > maxBytes) throw new BodyTooLargeError(maxBytes);
    const source = request.body instanceof Readable ? request.body : Readable.from([]);
    await this.diskReserve?.assertFree(length);
    const limited = limitBody(source, { maxBytes, ...this.options.minTransferRate });
    const kept = this.diskReserve?.keepReserve(limited) ?? limited;
    const body = this.pendingUploads?.passBodyWhilePending(key, kept) ?? kept;
    if (uploadId !== undefined && partNumber !== undefined) {
      return this.fileStore().putPart(key, uploadId, partNumber, body);
    }
    const requestType = request.raw.headers['content-type'];
    if (contentType === undefined || requestType !== contentType) {
      const shown = requestType?.slice(0, MAX_SHOWN_TYPE_LENGTH) ?? 'none';
      throw new ServiceError('content_type_mismatch', {
        detail: `The URL was signed for Content-Type ${contentType ?? 'none'}; the request has ${shown}.`,
      });
    }
    return (await this.fileStore().putStream(key, body, contentType)).etag;
  }
}

/** Browsers must neither guess the type of an upload nor execute it. */
function setObjectHeaders(reply: FastifyReply, info: ObjectInfo, grant: SignedUrlGrant): FastifyReply {
  if (grant.filename !== undefined) reply.header('content-disposition', attachmentHeader(grant.filename));
  return reply
    .header('content-type', info.contentType)
    .header('etag', `"${info.etag}"`)
    .header('last-modified', info.modifiedAt.toUTCString())
    .header('accept-ranges', 'bytes')
    .header('cache-control', 'private, no-cache')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "sandbox; default-src 'none'");
}
