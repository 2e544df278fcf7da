import { InterfaceError } from '@ringdown/web-server';
import { reasons } from '@ringdown/hypermedia';

/** Throws {@link InterfaceError} `ParameterValidationFailure`. */
export function wrongParameter(name: string, reason: string): never {
  throw new InterfaceError(reasons.parameterValidationFailure, { message: reason, parameters: [{ name, reason }] });
}
