import { Controller, Inject } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { MAX_ASKED_PEOPLE, PEOPLE_KNOWN_PATTERN, type PeopleKnownReply } from '@ringdown/contracts/people';
import { DIRECTORY, type Directory } from '@ringdown/directory';
import { DISCOVERY_AUTH } from '../transport.js';

/** Replies to services that have stored something of people, so that they can delete it when a person is removed. */
@Controller()
export class KnownPeopleController {
  constructor(@Inject(DIRECTORY) private readonly directory: Pick<Directory, 'people'>) {}

  /** Fails, as does {@link Directory.people}, until the people were read once: no one is removed by that. */
  @MessagePattern(PEOPLE_KNOWN_PATTERN, DISCOVERY_AUTH)
  known(@Payload() request: unknown): PeopleKnownReply {
    const usernames = typeof request === 'object' && request !== null && 'usernames' in request && request.usernames;
    if (!isNames(usernames) || usernames.length > MAX_ASKED_PEOPLE) throw new Error('not a list of usernames');
    const { people } = this.directory;
    return { known: usernames.filter((username) => people.withUsername(username) !== undefined) };
  }
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
