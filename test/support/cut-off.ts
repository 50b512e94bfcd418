/** A database whose connection is lost at one statement. */
import { type Database, SqlError, type SqlSession } from '../../connectors/pgvector/driver/sql.ts';

/** The statement after which, or before which, the connection is lost; 0 = never. */
export interface Cut {
  readonly at: number;
  readonly when: 'before' | 'after';
  statements: number;
}

export function cutOff(right: Database, cut: Cut): Database {
  const lost = (): SqlError => new SqlError('the connection was cut', '57P01');
  const cutting = (session: SqlSession): SqlSession => ({
    query: async (...asked) => {
      cut.statements += 1;
      const isHit = cut.statements === cut.at;
      if (isHit && cut.when === 'before') throw lost();
      const rows = await session.query(...asked);
      if (isHit) throw lost();
      return rows;
    },
  });
  return {
    flavor: right.flavor,
    isExclusive: right.isExclusive,
    vectorType: right.vectorType,
    query: (...asked) => right.query(...asked),
    transaction: (body, signal) => right.transaction((tx) => body(cutting(tx)), signal),
    [Symbol.asyncDispose]: () => right[Symbol.asyncDispose](),
  };
}
