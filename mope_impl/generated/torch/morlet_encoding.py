import torch


def _forward(positions, omega, sigma, center):
    pass


class _MorletEncoding(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(positions, omega, sigma, center, dtype):
        b = positions.to(torch.float64).unsqueeze(-1)
        omega = omega.to(torch.float64)
        sigma = sigma.to(torch.float64)
        center = center.to(torch.float64)
        sigma = torch.where(sigma > 0.0, sigma, float("nan"))
        offset = b - center
        beyond = torch.abs(offset / sigma) > 40.0
        z = torch.where(beyond, 0.0, offset) / torch.where(beyond, 1.0, sigma)
        theta = omega * b
        e = torch.exp(-0.5 * (z * z))
        c0 = torch.where(beyond, 0.0, torch.cos(theta) * e)
        c1 = torch.where(beyond, 0.0, torch.sin(theta) * e)
        return torch.stack((c0, c1), dim=-1).flatten(-2).to(dtype, copy=True)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs[:4])

    @staticmethod
    def backward(ctx, grad):
        positions, omega_, sigma_, center_ = ctx.saved_tensors
        b = positions.to(torch.float64).unsqueeze(-1)
        omega = omega_.to(torch.float64)
        sigma = sigma_.to(torch.float64)
        center = center_.to(torch.float64)
        g0 = grad[..., 0::2].to(torch.float64)
        g1 = grad[..., 1::2].to(torch.float64)
        sigma = torch.where(sigma > 0.0, sigma, float("nan"))
        offset = b - center
        beyond = torch.abs(offset / sigma) > 40.0
        safe = torch.where(beyond, 1.0, sigma)
        z = torch.where(beyond, 0.0, offset) / safe
        theta = omega * b
        e = torch.exp(-0.5 * (z * z))
        cos, sin = torch.cos(theta), torch.sin(theta)
        radial = (g0 * cos + g1 * sin) * e
        angular = (g1 * cos - g0 * sin) * e
        d = [None] * 5
        if ctx.needs_input_grad[0]:
            d[0] = torch.where(beyond, 0.0, angular * omega - radial * z / safe).sum(-1).to(positions.dtype)
        if ctx.needs_input_grad[1]:
            d[1] = torch.where(beyond, 0.0, angular * b).sum_to_size(omega.shape).to(omega_.dtype)
        if ctx.needs_input_grad[2]:
            d[2] = torch.where(beyond, 0.0, radial * z * z / safe).sum_to_size(omega.shape).to(sigma_.dtype)
        if ctx.needs_input_grad[3]:
            d[3] = torch.where(beyond, 0.0, radial * z / safe).sum_to_size(omega.shape).to(center_.dtype)
        return tuple(d)


def morlet_encoding(positions, omega, sigma, center=None, *, dtype=None):
    if center is None:
        center = torch.zeros_like(sigma)
    if dtype is None:
        dtype = torch.promote_types(torch.promote_types(omega.dtype, sigma.dtype), center.dtype)
    return _MorletEncoding.apply(positions, omega, sigma, center, dtype)
