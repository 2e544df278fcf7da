import { Param, type PipeTransform } from '@nestjs/common';

/** Clients and proxies remove these segments of a path, also when they are written as `%2e`. */
const DOTS: ReadonlyMap<string, string> = new Map([
  ['%2e', '.'],
  ['%2e%2e', '..'],
]);

class DotsPipe implements PipeTransform<string, string> {
  transform(callId: string): string {
    return DOTS.get(callId.toLowerCase()) ?? callId;
  }
}

/** The Call-ID in the path of a request; `.` and `..` are written as `%252e` and `%252e%252e`. */
export const CallIdParameter = (): ParameterDecorator => Param('callId', DotsPipe);
