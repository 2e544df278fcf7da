import { FirstValue, ReadAs, ReadText } from '@ringdown/web-server/input';
import { IsOptional, IsString } from 'class-validator';

/**
 * A list of some of `values`, each once; a single value counts as a list of one, because a query has the same form for
 * both.
 */
export const SomeOf = (values: readonly string[]): PropertyDecorator =>
  ReadAs(`one or several of ${values.join(', ')}`, (given) => {
    const list: readonly unknown[] = Array.isArray(given) ? given : [given];
    return list.every((each) => typeof each === 'string' && values.includes(each)) ? [...new Set(list)] : undefined;
  });

/** Parameters of a request that may belong to a tab of its client (web-interface.md, section 3). */
export class InstanceQuery {
  @FirstValue()
  @IsOptional()
  @IsString()
  readonly instanceId: string | null = null;
}

/** Parameters of lists. */
export class ListQuery {
  /** With `false`, a list contains links instead of resources. */
  @FirstValue()
  @ReadText('true or false', (text) => text.toLowerCase() !== 'false')
  readonly expand: boolean = true;
}
