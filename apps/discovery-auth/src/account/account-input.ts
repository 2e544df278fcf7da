import { ReadText } from '@ringdown/web-server/input';
import { IsDefined } from 'class-validator';

/** As long as the token service accepts. */
const MAX_LENGTH = 1024;

/** The body of a request for another password of one's own. */
export class NewPasswordInput {
  @IsDefined({ message: 'current is missing' })
  @ReadText(`a text of at most ${MAX_LENGTH} characters`, bounded)
  current!: string;

  @IsDefined({ message: 'new is missing' })
  @ReadText(`a text of at most ${MAX_LENGTH} characters`, bounded)
  new!: string;
}

/** For routes without parameters: any parameter is rejected. */
export class NoParameters {}

function bounded(text: string): string | undefined {
  return text.length <= MAX_LENGTH ? text : undefined;
}
