/// The version that `--version`, the User-Agent and the manifests' producers tell.
package let wirephotoVersion = "0.1.0"
