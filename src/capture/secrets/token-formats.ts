/**
 * Formats of tokens that the published rules do not have, as their providers are known to make
 * them. Each begins where no letter or digit stands before it; its end is open, since tokens grow
 * over the years.
 */

export interface TokenFormat {
  readonly id: string;
  /** In small letters: a text without one of them has no such token. */
  readonly keywords: readonly string[];
  readonly pattern: string;
  /** Words may have this form as well. */
  readonly isLoose: boolean;
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/**
 * One format a line: its name, its keywords between commas, and the expression. `?` behind a name:
 * words may have this form, so it must look drawn as well.
 */
const TABLE = String.raw`
1password-secret-key a3- A3-[A-Z0-9]{6}(?:-[A-Z0-9]{5,11}){4,5}
adafruit aio_ aio_[A-Za-z0-9]{28}
airtable pat pat[A-Za-z0-9]{14}\.[0-9a-f]{64}
alibaba ltai LTAI[A-Za-z0-9]{12,30}
asana 0/1,1/1,2/1 [0-2]/1\d{12,17}(?:/\d{12,17})?:[0-9a-f]{32}
atlassian atatt3,atctt3 AT[AC]TT3[\w=-]{20,240}
aws-bedrock absk ABSK[A-Za-z0-9+/]{80,}
aws-key-id abia,acca A(?:BI|CC)A[A-Z0-9]{16}
azure-client 7q~,8q~ [\w.~-]{3}[78]Q~[\w.~-]{31,34}
bitbucket atbb ATBB[A-Za-z0-9]{28,36}
brevo xkeysib-,xsmtpsib- x(?:keys|smtps)ib-[0-9a-f]{64}-[A-Za-z0-9]{16}
buildkite bkua_,bkat_,bkaj_,bkct_,bkpt_ bk(?:ua|at|aj|ct|pt)_[0-9a-f]{40}
circleci ccipat_,ccipprj_ CCIP(?:AT|PRJ)_[A-Za-z0-9]{20,24}_[0-9a-f]{40}
clickhouse 4b1d 4b1d[A-Za-z0-9]{38}
clojars clojars_ CLOJARS_[a-z0-9]{60}
cloudflare-ca v1.0- v1\.0-[0-9a-f]{24}-[0-9a-f]{146}
contentful cfpat- CFPAT-[\w-]{43}
digitalocean doo_v1_,dop_v1_,dor_v1_ do[opr]_v1_[0-9a-f]{64}
docker-organization dckr_oat_ dckr_oat_[\w-]{27,36}
doppler dp. dp\.(?:pt|ct|st|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}
dropbox? sl. sl\.(?:u\.)?[\w-]{60,}
duffel duffel_ duffel_(?:live|test)_[\w=-]{43}
dynatrace dt0 dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}
easypost ezak,eztk EZ[AT]K[A-Za-z0-9]{54}
facebook? eaa EAA[A-Za-z0-9]{80,300}
fireworks? fw_ fw_[A-Za-z0-9]{22,24}
flutterwave flwsec FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,40}
fly fo1_,fm1 f(?:o1|m1[ar])_[\w+/=-]{40,}
fly-macaroon fm2_ fm2_[\w+/=-]{40,}
frameio fio-u- fio-u-[\w=-]{64}
gitlab-others gl gl(?:agent|cbt|dt|ffct|ft|imt|oas|ptt|rt|soat)-[\w.-]{20,}
gitlab-runner gr1348941 GR1348941[\w-]{20}
gocardless? live_ live_[\w=-]{40}
google-client gocspx- GOCSPX-[\w-]{28}
google-refresh 1//0 1//0[\w-]{40,}
harness pat.,sat. (?:pat|sat)\.[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}
heroku? hrku- HRKU-[\w-]{36,}
hubspot pat- pat-(?:na|eu|ap)\d-${UUID}
huggingface-org api_org_ api_org_[A-Za-z]{34}
infracost ico- ico-[A-Za-z0-9]{32}
intra42 s-s4t2 s-s4t2(?:ud|af)-[0-9a-f]{64}
jfrog akcp AKCp[A-Za-z0-9]{60,73}
klaviyo pk_ pk_[0-9a-f]{34}
langsmith lsv2_ lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}
launchdarkly sdk-,api- (?:sdk|api)-${UUID}
linear-oauth lin_oauth_ lin_oauth_[0-9a-f]{64}
lob live_,test_ (?:live|test)_[0-9a-f]{35}
mailchimp -us [0-9a-f]{32}-us\d{1,2}
mailgun key- (?:pub)?key-[0-9a-f]{32}
mapbox sk.ey sk\.eyJ[\w-]{20,}\.[\w-]{20,}
maxmind _mmk [A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk
netlify? nfp_ nfp_[A-Za-z0-9]{36}
newrelic-browser nrjs- NRJS-[0-9a-f]{19}
newrelic-insert nrii- NRII-[\w-]{32}
newrelic-license nral [0-9a-f]{36}NRAL
newrelic-user nrak- NRAK-[A-Z0-9]{27}
nuget oy2 oy2[a-z0-9]{43}
nvidia nvapi- nvapi-[\w-]{60,70}
octopus api- API-[A-Z0-9]{26}
openshift sha256~ sha256~[\w-]{43}
perplexity pplx- pplx-[A-Za-z0-9]{36,56}
pinecone pcsk_ pcsk_[A-Za-z0-9]{5,6}_[A-Za-z0-9]{60,}
plaid access- access-(?:sandbox|development|production)-${UUID}
planetscale pscale_ pscale_(?:tkn|pw|oauth)_[\w=.-]{32,64}
posthog phx_ phx_[A-Za-z0-9]{40,50}
postman pmak- PMAK-[0-9a-f]{24}-[0-9a-f]{34}
prefect pnu_,pnb_ pn[ub]_[A-Za-z0-9]{36}
pulumi pul- pul-[0-9a-f]{40}
readme rdme_ rdme_[a-z0-9]{60,72}
render? rnd_ rnd_[A-Za-z0-9]{28,36}
replicate? r8_ r8_[A-Za-z0-9]{37}
resend? re_ re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}
rubygems rubygems_ rubygems_[0-9a-f]{48}
scalingo tk-us- tk-us-[\w-]{48}
sentry sntrys_,sntryu_ sntry[su]_[\w+/=-]{40,}
settlemint sm_ sm_(?:aat|pat|sat)_[A-Za-z0-9]{16}
shippo shippo_ shippo_(?:live|test)_[0-9a-f]{40}
slack-legacy xox xox[ors]-(?:\d-)?[A-Za-z0-9-]{20,}
slack-rotating xox xoxe(?:\.xox[bp])?-\d-[A-Za-z0-9-]{40,}
sonar squ_,sqp_,sqa_ sq[upa]_[0-9a-f]{40}
sourcegraph sgp_ sgp_(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}
square sq0 sq0(?:atp|csp|idp)-[\w-]{22,43}
square-access? eaaa EAAA[\w-]{22,}
stripe-prod sk_prod_,rk_prod_ [rs]k_prod_[A-Za-z0-9]{10,}
supabase sbp_,sba_,sbs_ sb[aps]_[0-9a-f]{40}
supabase-secret sb_secret_ sb_secret_[\w-]{20,}
tavily? tvly- tvly-(?:dev-|prod-)?[A-Za-z0-9]{24,}
telegram :aa \d{8,10}:AA[\w-]{30,}
terraform .atlasv1. [A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,}
together tgp_v1_ tgp_v1_[\w-]{43}
twilio sk SK[0-9a-f]{32}
typeform tfp_ tfp_[\w.=-]{40,}
ubidots bbff- BBFF-[A-Za-z0-9]{30}
vault-legacy? s. s\.[A-Za-z0-9]{24}
vault? hvs.,hvb.,hvr. hv[brs]\.[\w-]{24,}
voyage? pa- pa-[A-Za-z0-9][\w-]{42}
xai xai- xai-[A-Za-z0-9]{60,}
yandex-api aqvn AQVN[\w-]{35,38}
yandex-iam t1. t1\.[\w-]{8,}={0,2}\.[\w-]{86}
`;

export const TOKEN_FORMATS: readonly TokenFormat[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [name = '', keywords = '', pattern = ''] = line.split(' ');
    return {
      id: name.replace('?', ''),
      keywords: keywords.split(','),
      pattern: `(?<![A-Za-z0-9])(?:${pattern})`,
      isLoose: name.endsWith('?'),
    };
  });
