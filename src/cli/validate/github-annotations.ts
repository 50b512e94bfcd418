/** Findings as GitHub workflow commands, which mark lines of a pull request. */
import type { Finding } from '../../index.ts';

/** One line each. */
export const toGithubAnnotations = (findings: readonly Finding[]): string =>
  findings
    .map(({ severity, code, file, line, column, message, fix }) => {
      const place = `file=${property(file)},line=${line},col=${column},title=${property(code)}`;
      return `::${severity} ${place}::${data(`${message}\n${fix}`)}`;
    })
    .join('\n');

const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
