import { Param, type PipeTransform } from '@nestjs/common';

/**
 * Clients and proxies remove `.` and `..` from a path, also when they are written as `%2e`, and `stream`, in any case, is another resource:
 * these Call-IDs are encoded twice, and so are those that are the same text after it.
 */
const ENCODED_TWICE = /^(?:(?:%(?:25)*2e){1,2}|%(?:25)*[57]3tream)$/i;

class EncodedTwicePipe implements PipeTransform<string, string> {
  transform(callId: string): string {
    return ENCODED_TWICE.test(callId) ? decodeURIComponent(callId) : callId;
  }
}

/** The Call-ID in the path of a request; `.`, `..` and `stream` are written as `%252e`, `%252e%252e` and `%2573tream`. */
export const CallIdParameter = (): ParameterDecorator => Param('callId', EncodedTwicePipe);
