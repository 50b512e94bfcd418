/** The engine's audit: entries by number, and whether the chain is what it was. */
import { checkInput } from '../../inputs/check-input.ts';
import type { Grant } from '../../model/permission.ts';
import { AuditVerifier } from '../../permission/verify-audit.ts';
import type { AuditListing, CallOptions, ContextEngine } from '../context-engine.ts';
import { type EngineParts, grantOf } from '../engine-parts.ts';

const PAGE = 1000;
const DEFAULT_LIMIT = 100;

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
        if (known !== undefined) checkInput('audit_head', known);
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
  checkInput('audit_listing', asked);
  const { after = 0, limit = DEFAULT_LIMIT } = asked;
  return { after, limit };
}
