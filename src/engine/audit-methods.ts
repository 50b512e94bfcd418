/** The engine's audit: entries by number, and whether the chain is what it was. */
import { ContextEngineError } from '../codes/errors.ts';
import type { AuditHead } from '../model/audit.ts';
import { checkFields, type FieldsOf } from '../model/fields.ts';
import { shown } from '../model/ids.ts';
import type { Grant } from '../model/permission.ts';
import { AuditVerifier } from '../permission/verify-audit.ts';
import type { AuditListing, CallOptions, ContextEngine } from './context-engine.ts';
import { type EngineParts, grantOf } from './engine-parts.ts';

const PAGE = 1000;
const DEFAULT_LIMIT = 100;
const LISTING: FieldsOf<AuditListing> = { after: true, limit: true };
const DIGEST = /^[0-9a-f]{64}$/;

export function createAuditing(parts: EngineParts): Pick<ContextEngine, 'audit'> {
  const { authority, open, digestOf } = parts;
  return {
    audit: {
      list: open(async (asked, options) => {
        const { after, limit } = checkListing(asked ?? {});
        const { tenant } = await auditorOf(parts, options);
        return authority.readAudit({ tenant, after, limit });
      }),
      verify: open(async (known, options) => {
        if (known !== undefined) checkHead(known);
        const { tenant } = await auditorOf(parts, options);
        const verifier = new AuditVerifier(tenant, { digestOf, known });
        for (;;) {
          for (;;) {
            const page = await authority.readAudit({ tenant, after: verifier.read, limit: PAGE });
            verifier.add(page);
            if (page.length < PAGE) break;
          }
          const head = await authority.auditHead(tenant);
          // Entries of meanwhile: they and the head were committed together.
          const rest =
            head.seq > verifier.read
              ? await authority.readAudit({ tenant, after: verifier.read, limit: PAGE })
              : [];
          if (rest.length === 0) return verifier.end(head);
          verifier.add(rest);
        }
      }),
    },
  };
}

async function auditorOf(parts: EngineParts, options: CallOptions | undefined): Promise<Grant> {
  const grant = await grantOf(parts, options, 'audit');
  const entrance = { door: 'audit', field: 'permission_profile' };
  await parts.permission.assertAuditor(grant, entrance);
  return grant;
}

function checkListing(asked: AuditListing): Required<AuditListing> {
  checkFields(asked, 'listing', LISTING);
  const { after = 0, limit = DEFAULT_LIMIT } = asked;
  if (!Number.isSafeInteger(after) || after < 0)
    throw invalid('after', after, 'Pass the number of an entry, 0 for the first page.');
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > PAGE)
    throw invalid('limit', limit, `Pass a whole number from 1 to ${PAGE}.`);
  return { after, limit };
}

function checkHead(known: AuditHead): void {
  checkFields(known, 'head', { seq: true, digest: true });
  if (!Number.isSafeInteger(known.seq) || known.seq < 1)
    throw invalid('seq', known.seq, 'Pass the `head` that an earlier check returned.');
  if (typeof known.digest !== 'string' || !DIGEST.test(known.digest))
    throw invalid('digest', known.digest, 'Pass the `head` that an earlier check returned.');
}

const invalid = (field: string, value: unknown, fix: string): ContextEngineError =>
  new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `\`${field}\` is \`${shown(value)}\`.`,
    fix,
    where: { field },
  });
