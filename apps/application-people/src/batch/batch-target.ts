import { profilePathRewriter } from '@ringdown/web-server';
import { InterfaceError } from '@ringdown/web-server/errors';
import { reasons } from '@ringdown/hypermedia';
import type { WebNames } from '@ringdown/vendor-profile';

const APPLICATIONS = ['uc', 'v1', 'applications'];
/** Polls would delay the batch, photos are not text, and a batch in a batch could nest without end. */
const NOT_IN_BATCHES = new Set(['events', 'photos', 'batch']);
/**
 * Some clients begin every path with two slashes, which in a URL would introduce a host (web-interface.md, section
 * 13).
 */
const DOUBLED_SLASHES = /^\/{2,}/;

/**
 * Checks the target of a request in a batch: any resource of the batch's own application except events, photos and
 * batches (web-interface.md, section 9). Returns the path and query to request; throws {@link InterfaceError}
 * `ParameterValidationFailure`.
 */
export class BatchTargets {
  private readonly rewrite: (path: string) => string;

  constructor(web: WebNames) {
    this.rewrite = profilePathRewriter(web);
  }

  of(target: string, applicationId: string): string {
    // Compared as the router will read it: dot segments are resolved, and unnecessary escapes are decoded.
    const path = target.replace(DOUBLED_SLASHES, '/');
    const url = URL.canParse(path, 'http://batch.invalid') ? new URL(path, 'http://batch.invalid') : undefined;
    const meant = url && decoded(this.rewrite(url.pathname));
    const segments = meant?.toLowerCase().split('/').filter(Boolean) ?? [];
    const own = [...APPLICATIONS, applicationId];
    if (url === undefined || own.some((segment, at) => segments[at] !== segment)) {
      return reject(`${target.slice(0, 200)} is not an address of this application.`);
    }
    const first = segments[own.length] ?? '';
    if (NOT_IN_BATCHES.has(first)) return reject(`A batch cannot contain requests for ${first}.`);
    return url.pathname.replace(DOUBLED_SLASHES, '/') + url.search;
  }
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function reject(message: string): never {
  throw new InterfaceError(reasons.parameterValidationFailure, { message });
}
