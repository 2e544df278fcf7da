import { FirstValue } from '@ringdown/web-server/input';
import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { ListQuery } from '../http/parameter-fields.js';

const NOT_BLANK = /\S/;
const notBlank = { message: '$property must not be empty' };

export class NewGroup {
  @Matches(NOT_BLANK, notBlank)
  @MaxLength(256)
  @IsString()
  readonly displayName!: string;
}

export class ChangedGroup {
  @Matches(NOT_BLANK, notBlank)
  @MaxLength(256)
  @IsString()
  readonly name!: string;
}

export class MembershipInput {
  /** With or without `sip:`. */
  @Matches(NOT_BLANK, notBlank)
  @MaxLength(250)
  @IsString()
  readonly contactUri!: string;

  @IsOptional()
  @MaxLength(256)
  @IsString()
  readonly groupId?: string | null;
}

export class ContactsQuery extends ListQuery {
  @FirstValue()
  @IsOptional()
  @IsString()
  readonly groupId?: string;
}
