import { InterfaceError } from '@ringdown/http-server';
import { reasons } from '@ringdown/hypermedia';
import type { WebNames } from '@ringdown/vendor-profile';
import type { IncomingHttpHeaders } from 'node:http';

/** The newest revision of resources that is served; every answer is of the newest (web-interface.md, section 12). */
const NEWEST = 2;

/** Throws {@link InterfaceError} `APIVersionNotSupported` for a client that needs a newer revision than there is. */
export function requireServedVersion(headers: IncomingHttpHeaders, web: WebNames): void {
  const name = `${web.headerPrefix}RequiresMinResourceVersion`;
  const wanted = headers[name.toLowerCase()];
  if (wanted === undefined || wanted === '') return;
  const version = String(wanted);
  if (!/^\d+(\.\d+)?$/.test(version)) {
    throw new InterfaceError(reasons.parameterValidationFailure, {
      message: `${name} must be a number like 2 or 2.0.`,
    });
  }
  if (Number(version) > NEWEST) {
    const message = `Version ${version} is not served here; the newest is ${NEWEST}.`;
    throw new InterfaceError(reasons.apiVersionNotSupported, { message });
  }
}
