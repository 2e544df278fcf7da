import {
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { mergeMap, type Observable } from 'rxjs';
import { Database } from '../store/database/database.js';

/** Adds by how much the server of DATABASE_READ_URL was behind, if there is one, to an answer that was read there. */
@Injectable()
class ReadLag implements NestInterceptor<object, object> {
  constructor(private readonly database: Database) {}

  intercept(_context: ExecutionContext, next: CallHandler<object>): Observable<object> {
    const measured = this.database.lagSeconds();
    return next.handle().pipe(
      mergeMap(async (answer) => {
        const lagSeconds = await measured;
        return lagSeconds === undefined ? answer : { ...answer, lagSeconds };
      }),
    );
  }
}

/** For answers that may lack the newest changes. */
export const ReportsReadLag = (): ClassDecorator & MethodDecorator => UseInterceptors(ReadLag);
