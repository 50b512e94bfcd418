/** Findings as SARIF 2.1.0, which code hosts and editors read. */

import { CODES } from '../../codes/code-table.ts';
import type { Finding } from '../../index.ts';

/** The log of one run. Paths are relative to the root of the sources where they can be. */
export function toSarif(
  findings: readonly Finding[],
  version: string,
): Readonly<Record<string, unknown>> {
  const codes = [...new Set(findings.map(({ code }) => code))].sort();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'contextengine',
            version,
            rules: codes.map((code) => ({
              id: code,
              shortDescription: { text: CODES[code].meaning },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => toResult(finding, codes.indexOf(finding.code))),
      },
    ],
  };
}

function toResult(
  { code, severity, file, line, column, message, fix }: Finding,
  ruleIndex: number,
): Readonly<Record<string, unknown>> {
  const isOutside = /^([A-Za-z]:)?[\\/]/.test(file);
  const uri = file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  const artifactLocation = isOutside ? { uri: `file://${uri}` } : { uri, uriBaseId: '%SRCROOT%' };
  return {
    ruleId: code,
    ruleIndex,
    level: severity,
    message: { text: `${message} ${fix}` },
    locations: [
      { physicalLocation: { artifactLocation, region: { startLine: line, startColumn: column } } },
    ],
  };
}
